// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Compares the metadata for GraalVM's native-image with the code: what it names is there, and what the code looks up by
 * name is in it. No image is built.
 */
class NativeImageMetadataTest {
    private static final Path JAR = Path.of("target/classes");
    private static final String FILE = "META-INF/native-image/io.threadclock/threadclock/reachability-metadata.json";
    private static final String KEYS =
            "comment reflection condition typeReached type methods fields name parameterTypes"
                    + " jniAccessible resources glob foreign downcalls returnType options critical allowHeapAccess";

    /** Names that older versions of Java lack, as the code expects. */
    private static final String SINCE_26 = ".*\\.getTotalGcCpuTime.*";

    private static final String SINCE_21 =
            ".*VirtualThread|.*[.$]Thread(Builders|.Builder).*|.*newThreadPerTaskExecutor.*"
                    + "|java.lang.Thread.(isVirtual|ofVirtual|currentCarrierThread)\\(\\)";

    /** C files whose lookups an image does, too. */
    private static final List<String> LOOK_UP_IN_AN_IMAGE = List.of("java_boost", "java_thread");

    /**
     * The agent's, those after {@link ThreadMXBeanBoost} has found HotSpot, and those for clocks of virtual threads.
     */
    private static final List<String> NEED_HOTSPOT =
            List.of("attachment boot_classes carriers handles rebinding virtual_clocks virtual_threads".split(" "));

    private static final Pattern LOOKUP_IN_C =
            Pattern.compile("\\)->(?:FindClass|Get(?:Static)?(?:Method|Field)ID|RegisterNatives|DefineClass)\\(");
    /** A class; a method, and its descriptor; a field; or any literal but those of nothing and of {@code long}. */
    private static final Pattern NAME_IN_C = Pattern.compile("(?s)#include[^\n]*|/\\*.*?\\*/|\"J?\""
            + "|FindClass\\(env, \"([^\"]+)\"|\"([^\"]+)\", \"(\\(.*?)\"|field\\(env, \\w+, \"([^\"]+)\"|\"(.*?)\"");

    private static final Pattern LOOKUP_IN_JAVA = Pattern.compile(
            "Class\\.forName\\(|MethodHandles\\.|\\.getMethod\\(|\\.getDeclared|\\.getResource|ServiceLoader|Proxy\\.");

    private final Map<String, String> cSources = sources("../native/src/main/c", ".c");
    private final Map<String, String> javaSources = sources("src/main", ".java");
    private final String text = Files.readString(JAR.resolve(FILE));
    private final JsonNode metadata = new ObjectMapper().readTree(text);
    private final JsonNode reflection = metadata.get("reflection");
    private final JsonNode downcalls = metadata.get("foreign").get("downcalls");
    private final List<String> conditions = metadata.findValuesAsText("typeReached");
    private final List<String> types = reflection.findValuesAsText("type");
    private final List<JsonNode> jni =
            all(reflection).filter(one -> one.has("jniAccessible")).toList();

    NativeImageMetadataTest() throws IOException {}

    @Test
    void hasTheKeysOfItsSchemaAlone() {
        assertThat(found("\"(\\w+)\":", text)).isSubsetOf(KEYS.split(" "));
    }

    @Test
    void namesTypesThatExist() {
        assertThat(expected(types.stream()).filter(name -> typeNamed(name) == null))
                .isEmpty();
        assertThat(conditions).isNotEmpty().allMatch(name -> typeNamed(name) != null);
    }

    @Test
    void namesMembersThatExist() {
        Stream<String> existing = expected(types.stream()).flatMap(name -> membersOf(typeNamed(name)));
        assertThat(expected(all(reflection)
                        .filter(one -> expected(Stream.of(nameOf(one))).count() > 0)
                        .flatMap(one -> membersOf(one).map(member -> nameOf(one) + "." + member))))
                .isNotEmpty()
                .isSubsetOf(existing.toList());
    }

    @Test
    void listsTheClassesWithNativeMethods() {
        List<String> withNatives = filesWith(Pattern.compile("static native \\w"), javaSources);
        assertThat(withNatives).isNotEmpty();
        assertThat(jni.stream().map(one -> simpleName(nameOf(one)))).containsAll(withNatives);
    }

    /** A file of another kind needs a decision: whether an image does its lookups. */
    @Test
    void knowsEachCFileThatLooksUpByName() {
        assertThat(filesWith(LOOKUP_IN_C, cSources))
                .containsAll(LOOK_UP_IN_AN_IMAGE)
                .filteredOn(name -> !LOOK_UP_IN_AN_IMAGE.contains(name))
                .containsExactlyInAnyOrderElementsOf(NEED_HOTSPOT);
    }

    @Test
    void listsWhatTheCCodeLooksUp() {
        List<String> listed = jni.stream()
                .filter(one -> !nameOf(one).startsWith("io.threadclock."))
                .flatMap(one -> Stream.concat(Stream.of(nameOf(one)), membersOf(one)))
                .toList();
        assertThat(cSources.entrySet().stream()
                        .filter(file -> LOOK_UP_IN_AN_IMAGE.contains(simpleName(file.getKey())))
                        .flatMap(file -> lookedUpBy(file.getValue())))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    /** With a part of what clocks need, they would fail later, and in another way. */
    @Test
    void leavesOutTheClassThatClocksOfVirtualThreadsLookUpFirst() {
        assertThat(cSources.get("jvm/boot_classes.c")).contains("FindClass(env, \"java/lang/Class\")");
        assertThat(jni.stream().map(NativeImageMetadataTest::nameOf)).doesNotContain("java.lang.Class");
    }

    /** The types of conditions are the classes that look up, or have natives that do. */
    @Test
    void hasEntriesForEachClassThatLooksUpByName() {
        assertThat(filesWith(LOOKUP_IN_JAVA, javaSources))
                .isNotEmpty()
                .allMatch(name -> conditions.contains("io.threadclock." + name));
    }

    @Test
    void listsTheTypesAndMethodsThatJavaCodeLooksUp() {
        assertThat(inJava("\"((?:[a-z]+\\.)+[A-Z][\\w$]*\\w)\"")).isNotEmpty().isSubsetOf(types);
        assertThat(inJava("(?:getMethod|find\\w*)\\(\\s*(?:[\\w.]+,\\s*)?\"(\\w+)\""))
                .isNotEmpty()
                .isSubsetOf(reflection.findValuesAsText("name"));
    }

    @Test
    void matchesTheNativeLibraryOfEachPlatform() {
        assertThat(Stream.of("amd64", "aarch64").map(processor -> new Platform("Linux", processor).directory()))
                .allMatch(directory -> hasResource(Path.of("META-INF/native", directory, "libthreadclock.so")));
    }

    @Test
    void matchesEachFileOfTheJarThatIsNoClass() throws IOException {
        try (Stream<Path> files = Files.walk(JAR)) {
            Stream<Path> ofJar = files.filter(Files::isRegularFile).map(JAR::relativize);
            assertThat(ofJar.filter(
                            file -> !file.toString().matches(".*\\.class|META-INF/(native-image/.*|LICENSE|NOTICE)")))
                    .isNotEmpty()
                    .allMatch(this::hasResource);
        }
    }

    @Test
    void listsTheDescriptorsOfTheForeignFunctions() {
        Stream<String> layouts = inJava("FunctionDescriptor\\.of\\((.*?)\\)").distinct();
        assertThat(all(downcalls).map(call -> nameOf(call) + parametersOf(call)))
                .containsExactlyInAnyOrderElementsOf(
                        layouts.map(NativeImageMetadataTest::canonical).toList());
    }

    @Test
    void hasTheOptionsOfTheForeignFunctions() {
        List<String> options = inJava("Linker\\.Option\\.(\\w+\\(.*?\\))").toList();
        assertThat(options).isNotEmpty();
        assertThat(all(downcalls).map(call -> call.at("/options/critical/allowHeapAccess")))
                .allSatisfy(access -> assertThat(options).containsOnly("critical(" + access + ")"));
        assertThat(inJava("(upcallStub)")).isEmpty();
    }

    // ---- the metadata ----

    private static Stream<JsonNode> all(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static String nameOf(JsonNode entry) {
        return entry.path("type").asText() + entry.path("returnType").asText();
    }

    private static String parametersOf(JsonNode method) {
        return all(method.get("parameterTypes")).map(JsonNode::asText).collect(joining(", ", "(", ")"));
    }

    /** As {@code isVirtual()} and {@code tid}. */
    private static Stream<String> membersOf(JsonNode type) {
        return Stream.concat(
                all(type.path("methods")).map(method -> method.get("name").asText() + parametersOf(method)),
                all(type.path("fields")).map(field -> field.get("name").asText()));
    }

    private boolean hasResource(Path file) {
        return metadata.get("resources").findValuesAsText("glob").stream()
                .anyMatch(glob ->
                        FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(file));
    }

    // ---- the classes ----

    private static Stream<String> expected(Stream<String> names) {
        int java = Runtime.version().feature();
        return names.filter(name -> java >= 21 || !name.matches(SINCE_21))
                .filter(name -> java >= 26 || !name.matches(SINCE_26));
    }

    private static Class<?> typeNamed(String name) {
        try {
            return Class.forName(name, false, NativeImageMetadataTest.class.getClassLoader());
        } catch (ClassNotFoundException none) {
            return null;
        }
    }

    /** As native-image does, this looks at what the type itself declares. */
    private static Stream<String> membersOf(Class<?> type) {
        Stream<String> fields = Stream.of(type.getDeclaredFields()).map(Field::getName);
        Stream<String> callables = Stream.of(type.getDeclaredMethods(), type.getDeclaredConstructors())
                .flatMap(Stream::of)
                .map(one ->
                        (one instanceof Constructor ? "<init>" : one.getName()) + parameters(one.getParameterTypes()));
        return Stream.concat(fields, callables).map(member -> type.getName() + "." + member);
    }

    private static String parameters(Class<?>... types) {
        return Stream.of(types).map(Class::getTypeName).collect(joining(", ", "(", ")"));
    }

    // ---- the sources ----

    /** By path. BootClocks looks for methods of a class of the boot loader, and an image takes none. */
    private static Map<String, String> sources(String folder, String suffix) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(suffix)).toList()) {
                texts.put(Path.of(folder).relativize(file).toString(), Files.readString(file));
            }
        }
        texts.remove("java/io/threadclock/BootClocks.java");
        return texts;
    }

    private static String simpleName(String name) {
        return name.replaceAll("\\.(c|java)$", "").replaceAll(".*[./]", "");
    }

    private static List<String> filesWith(Pattern pattern, Map<String, String> sources) {
        return sources.keySet().stream()
                .filter(file -> pattern.matcher(sources.get(file)).find())
                .map(NativeImageMetadataTest::simpleName)
                .toList();
    }

    /** The first groups of all matches. */
    private Stream<String> inJava(String pattern) {
        return javaSources.values().stream().flatMap(source -> found(pattern, source));
    }

    /** {@code jint(jlong)} for {@code JAVA_INT, JAVA_LONG}. */
    private static String canonical(String layouts) {
        return layouts.replace("JAVA_", "j").toLowerCase(Locale.ROOT).replaceFirst(", |$", "(") + ")";
    }

    private static Stream<String> found(String pattern, String source) {
        return Pattern.compile(pattern).matcher(source).results().map(match -> match.group(1));
    }

    /** ThrowNew() calls a constructor that no literal names. */
    private static Stream<String> lookedUpBy(String cSource) {
        return Stream.concat(
                NAME_IN_C
                        .matcher(cSource)
                        .results()
                        .map(NativeImageMetadataTest::nameOf)
                        .filter(Objects::nonNull),
                cSource.contains("->ThrowNew(") ? Stream.of("<init>(java.lang.String)") : Stream.empty());
    }

    private static String nameOf(MatchResult literal) {
        if (literal.group(2) != null) {
            MethodType descriptor = MethodType.fromMethodDescriptorString(literal.group(3), null);
            return literal.group(2) + parameters(descriptor.parameterArray());
        }
        return Stream.of(1, 4, 5)
                .map(literal::group)
                .filter(Objects::nonNull)
                .findFirst()
                .map(name -> name.replace('/', '.'))
                .orElse(null);
    }
}
