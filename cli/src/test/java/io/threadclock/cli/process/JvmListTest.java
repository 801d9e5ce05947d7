// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmListTest extends OverFakeProc {
    @ParameterizedTest
    @CsvSource({
        "java -Xmx1g -cp a:b com.example.Main --port 1, com.example.Main",
        "/usr/bin/java -jar /opt/app/app.jar x, app.jar",
        "java -jar /opt/caf\0/app.jar, app.jar",
        "/usr/bin/java/ -version, java",
        "java --module-path mods -m com.example/com.example.Main, com.example.Main",
        "java @options com.example.Main, com.example.Main",
        "jshell, jshell"
    })
    void aProgramIsWhatFollowsTheOptions(String words, String program) {
        assertThat(JvmList.programOf(List.of(words.split(" ")))).isEqualTo(program);
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/orders.jar --fast, java|-jar|/opt/orders.jar|--fast, orders.jar",
        "/opt/all orders/a.jar x, java|-jar|/opt/all orders/a.jar|x, a.jar",
        "com.example/com.example.Main x, java|-m|com.example|x, com.example.Main",
        "jdk.compiler/com.sun.tools.javac.launcher.Main /x/App.java 1, java|/x/App.java|1, App.java",
        "jdk.jcmd/sun.tools.jps.Jps, jps, sun.tools.jps.Jps",
        "' / ', java, /"
    })
    void orTheFirstWordOfWhatTheJvmItselfSays(String command, String words, String program) {
        assertThat(JvmList.programOf(command, List.of(words.split("\\|")))).isEqualTo(program);
    }

    private static final List<String> TOMCAT = List.of(
            "/usr/lib/jvm/java-21/bin/java",
            "-Djava.util.logging.config.file=/srv/shops/SHOP/conf/logging.properties",
            "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
            "-Djdk.tls.ephemeralDHKeySize=2048",
            "-Dignore.endorsed.dirs=",
            "-classpath",
            "/opt/tomcat/bin/bootstrap.jar:/opt/tomcat/bin/tomcat-juli.jar",
            "-Dcatalina.base=/srv/shops/SHOP",
            "-Dcatalina.home=/opt/tomcat",
            "-Djava.io.tmpdir=/srv/shops/SHOP/temp",
            "org.apache.catalina.startup.Bootstrap",
            "start");

    private static JvmList.Entry tomcat(int pid, String shop) {
        List<String> words =
                TOMCAT.stream().map(word -> word.replace("SHOP", shop)).toList();
        return new JvmList.Entry(pid, "tomcat", words);
    }

    @Test
    void twoTomcatsAreToldApartWithinTheTerminalsWidth() {
        JvmList two = new JvmList(List.of(tomcat(4711, "books"), tomcat(4712, "toys")));
        assertThat(two.lines(75)).allMatch(line -> line.length() <= 75);
        assertThat(two.lines(75).get(0))
                .startsWith("   4711  tomcat    Bootstrap -Dcatalina.base=/srv/shops/books -Djava.");
        assertThat(two.lines(75).get(1))
                .startsWith("   4712  tomcat    Bootstrap -Dcatalina.base=/srv/shops/toys -Djava.");
    }

    @Test
    void theOptionThatAloneDiffersIsShown() {
        List<JvmList.Entry> two = List.of(
                new JvmList.Entry(1, "root", List.of("java", "-Xmx1g", "-cp", "a.jar", "Main", "x")),
                new JvmList.Entry(2, "root", List.of("java", "-Xmx1g", "-cp", "b.jar", "Main", "x")));
        assertThat(new JvmList(two).lines(75))
                .containsExactly("      1  root      Main a.jar x", "      2  root      Main b.jar x");
    }

    @Test
    void oneShowsItsUserArgumentsAndProperties() {
        JvmList.Entry entry = new JvmList.Entry(
                4711,
                "shop",
                List.of("java", "-Xmx1g", "-Dserver.port=8081", "-jar", "/opt/boot-1.jar", "--profile", "b"));
        assertThat(line(entry, 150)).isEqualTo("   4711  shop      boot-1.jar --profile b -Dserver.port=8081");
        assertThat(line(entry, 30)).hasSize(30);
        assertThat(line(new JvmList.Entry(1, "root", List.of()), 80)).isEqualTo("      1  root      ?");
        assertThat(line(new JvmList.Entry(1, "root", List.of("java", "-jar")), 80))
                .endsWith(" -jar");
    }

    private static String line(JvmList.Entry entry, int width) {
        return new JvmList(List.of(entry)).lines(width).get(0);
    }

    @Test
    void fromOutsideTheJvmsOfOthersAreListedByTheNameOfTheProgram() {
        for (int pid : new int[] {78, 79}) {
            fake.another(pid);
            fake.write(pid + "/maps", "").write(pid + "/cmdline", "/usr/bin/java" + (pid == 78 ? "" : "p") + "\0x\0");
        }
        for (boolean isFromOutside : new boolean[] {false, true}) {
            assertThat(JvmList.of(fake.proc(), isFromOutside, said -> {}).entries())
                    .extracting(JvmList.Entry::pid)
                    .isEqualTo(isFromOutside ? List.of(77, 78) : List.of(77));
        }
    }

    /** A class path may be long, and the words of a hostile process may be endless. */
    @Test
    void ofWordsWithoutEndTheBeginningIsKept() {
        JvmList.Entry honest = new JvmList.Entry(1, "root", List.of("java", "-cp", "x".repeat(100_000), "Main"));
        assertThat(JvmList.programOf(honest.words())).isEqualTo("Main");
        JvmList.Entry hostile = new JvmList.Entry(1, "root", Collections.nCopies(1_000_000, ""));
        assertThat(hostile.words()).hasSizeLessThan(100_000);
        List<String> deep = List.of("java", "a.".repeat(2000) + "Main", "x");
        assertThat(new JvmList(List.of(
                                new JvmList.Entry(1, "x", deep), honest, new JvmList.Entry(3, "x", deep.subList(0, 2))))
                        .lines(80))
                .hasSize(3);
    }
}
