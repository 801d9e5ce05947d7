// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.ProcessFiles;
import io.threadclock.cli.process.Target;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jline.terminal.Terminal;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Tests which packages need which others, which class alone opens files of other processes, and which may reach a
 * terminal without the Printer. Maven guards the walls between modules.
 */
class WallsTest {
    private static final String COMMANDS = "io.threadclock.cli";
    private static final JavaClasses CLASSES = compiled("cli/target/classes");
    private static final JavaClasses RECORDER = compiled("recorder/target/classes");

    /** Literals with a path in /proc, except the files of this process and of the machine; or /proc itself. */
    private static final Pattern OF_A_PROCESS = Pattern.compile("\"(?:/proc|/?proc/(?!self/|sys/|cpuinfo)[^\"\\n]*)\"");

    private static final Pattern A_TERMINAL = Pattern.compile("\"/dev/(?:tty|std|fd|pts|console)");

    private static final Pattern OPENING =
            Pattern.compile("java.nio.file.Files (?:new(?!Directory).*|read(?!Attr|Symb).*|lines|copy|mismatch|write.*)"
                    + "|java.nio.channels.\\w*FileChannel open|java.io.(?:File(?:In|Out)putStream|File(?:Read|Writ)er|RandomAccessFile) <init>"
                    + "|java.util.(?:Scanner|zip.ZipFile|jar.JarFile) <init>|io.threadclock.cli.process.ElfFile read");

    private static final Pattern OF_TEXT = Pattern.compile("java.nio.file.Path of|java.nio.file.Paths get"
            + "|java.nio.file.Path (?:resolve|starts|ends).*|java.nio.file.FileSystem getPath|java.io.File <init>");

    private static final Pattern OF_A_CONSTANT =
            Pattern.compile("(?:of|File|resolve|starts|ends)\\w*\\((?:\"[^\"]*\"|[A-Z_]+)\\)");

    /** These make paths of the user's words, of names that the kernel chooses, or of ones that were checked. */
    private static final String[] MAKE_PATHS = {
        "AttachSocket.socket",
        "ForeignPath.of",
        "Helper.connected",
        "Helper.started",
        "LibraryCopy.in",
        "LibraryFile.portable",
        "LibraryFile.readable",
        "Manual.main",
        "Manual.write",
        "OwnTerminal.<clinit>",
        "Proc.folder",
        "ProcessFiles.file",
        "ProcessFiles.folderForOthers",
        "ServerOption.file",
        "StandardStream.columns",
        "StandardStream.link",
        "TargetHelper.look",
        "ThreadReaders.attached",
        "ThreadRoom.ofGroups",
        "TopScreen.exported"
    };

    /** The ways to a terminal, in these classes and their subclasses; no name means all methods of the class. */
    private static final Map<Class<?>, Set<String>> WAYS = Map.of(
            System.class, Set.of("out", "err", "setOut", "setErr", "console"),
            FileDescriptor.class, Set.of("out", "err"),
            Console.class, Set.of(),
            Throwable.class, Set.of("printStackTrace"),
            ProcessBuilder.class, Set.of("inheritIO"),
            ProcessBuilder.Redirect.class, Set.of("INHERIT"),
            Terminal.class, Set.of("writer", "output", "puts"),
            CommandLine.class, Set.of("getOut", "getErr", "usage"),
            Printer.class, Set.of("draw"));

    private static final Set<String> MAY = Set.of(
            // The only class that prints, and the one that decides whether a stream is a terminal.
            "cli.process.StandardStream System.setOut",
            "cli.process.StandardStream System.setErr",
            "cli.process.StandardStream FileDescriptor.out",
            "cli.process.StandardStream FileDescriptor.err",
            "cli.process.Printer CommandLine.getOut",
            "cli.process.Printer CommandLine.getErr",
            // Our own styles: help, doctor's colours, a line that is overwritten.
            "cli.Help Printer.draw",
            "cli.Doctor Printer.draw",
            "cli.record.StatusLine Printer.draw",
            // Makes each line safe; the program that it runs prints no words of others.
            "cli.top.TerminalScreen Terminal.writer",
            "cli.top.TerminalScreen Terminal.puts",
            "cli.top.TerminalScreen ProcessBuilder.inheritIO",
            // Silences QuestDB for a moment.
            "recorder.QuestDbEngine System.out",
            "recorder.QuestDbEngine System.err",
            "recorder.QuestDbEngine System.setOut",
            "recorder.QuestDbEngine System.setErr");

    private static final Path SOURCES = DocumentedScreen.HOME.resolve("cli/src/main/java/io/threadclock/cli");

    private static JavaClasses compiled(String folder) {
        return new ClassFileImporter().importPath(DocumentedScreen.HOME.resolve(folder));
    }

    @Test
    void noTwoPackagesNeedEachOther() {
        slices().matching(COMMANDS + ".(*)..").should().beFreeOfCycles().check(CLASSES);
        ArchRule commandsOnTop = noClasses()
                .that()
                .resideOutsideOfPackage(COMMANDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(COMMANDS);
        commandsOnTop.check(CLASSES);
    }

    @Test
    void whatAProcessIsNeedsNothingElse() {
        onlyNeeds("process", "process").check(CLASSES);
        onlyNeeds("attach", "attach", "process").check(CLASSES);
    }

    private static ArchRule onlyNeeds(String inner, String... needed) {
        List<String> packages =
                Stream.of(needed).map(name -> COMMANDS + "." + name).toList();
        return classes()
                .that()
                .resideInAPackage(COMMANDS + "." + inner)
                .should()
                .onlyDependOnClassesThat(describe(
                        "are of " + packages + ", or none of the command line",
                        (JavaClass its) ->
                                !its.getPackageName().startsWith(COMMANDS) || packages.contains(its.getPackageName())));
    }

    /** Otherwise a process that got the pid of another one would be taken for it. */
    @Test
    void nothingButTheTargetOpensWhatTheKernelShowsOfAProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackage(COMMANDS + ".process")
                .should()
                .callMethodWhere(describe(
                        "it is the mount of /proc",
                        call -> call.getTargetOwner().isEquivalentTo(Proc.class)
                                && call.getName().equals("mount")))
                .check(CLASSES);
        assertThat(sourcesWith(OF_A_PROCESS, "cli/src/main"))
                .as("files with ways to /proc/PID")
                .allMatch(file -> file.getParent().endsWith("process"));
    }

    @Test
    void theWallSeesWaysAroundTheTarget() {
        assertThat(List.of(
                        "\"/proc/\" + pid",
                        "\"proc/\" + pid",
                        "Path.of(\"/proc\")",
                        "\"/proc/77/maps\"",
                        "\"/proc/%d/stat\""))
                .allMatch(way -> OF_A_PROCESS.matcher(way).find());
        assertThat(List.of("\"/proc/self/status\"", "\"proc/sys/kernel/osrelease\"", "\"proc/cpuinfo\""))
                .noneMatch(way -> OF_A_PROCESS.matcher(way).find());
    }

    /** In the locale C, one é in a stranger's words would end a command that watches all processes. */
    @Test
    void wordsOfOthersBecomePathsByForeignPathAlone() {
        assertThat(CLASSES.stream()
                        .flatMap(one -> one.getAccessesFromSelf().stream())
                        .filter(WallsTest::makesAPathOfText)
                        .map(call -> call.getOriginOwner().getSimpleName() + "."
                                + call.getOrigin().getName()))
                .as("what makes paths of text that is no literal nor constant")
                .containsOnly(MAKE_PATHS);
    }

    private static boolean makesAPathOfText(JavaAccess<?> access) {
        return access instanceof JavaCodeUnitAccess<?> call
                && call.getTarget().getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(String.class))
                && OF_TEXT.matcher(call.getTargetOwner().getName() + " " + call.getName())
                        .matches()
                && !OF_A_CONSTANT.matcher(sourceLine(call)).find();
    }

    private static String sourceLine(JavaCodeUnitAccess<?> call) {
        String name = call.getOriginOwner().getName().replaceFirst("\\$.*", "").replace('.', '/');
        Path file = SOURCES.resolve("../../../../java/" + name + ".java");
        return text(file).lines().skip(call.getLineNumber() - 1L).findFirst().orElseThrow();
    }

    /** A container may put a link, a pipe or a device there at any moment, which root's command would open. */
    @Test
    void whatKnowsAProcessesRootOpensNothingBelowItByName() {
        assertThat(openings(CLASSES))
                .as("the kernel's link to a program; the rest is done by the helper")
                .containsExactly("ProcessFiles read");
    }

    @Test
    void theWallSeesAPlantedOpening() {
        assertThat(openings(new ClassFileImporter().importClasses(PlantedOpening.class)))
                .containsExactlyInAnyOrder("PlantedOpening mismatch", "PlantedOpening <init>");
    }

    static final class PlantedOpening {
        private PlantedOpening() {}

        static long compare(Target target, Path own) throws IOException {
            Path theirs = target.root().resolve("lib.so");
            try (FileInputStream opened = new FileInputStream(theirs.toFile())) {
                return opened.read() + Files.mismatch(theirs, own);
            }
        }
    }

    /** The calls that open files, in classes that know ways below a process's root. */
    private static List<String> openings(JavaClasses classes) {
        return classes.stream()
                .filter(one -> one.getAccessesFromSelf().stream().anyMatch(WallsTest::leadsBelowARoot))
                .flatMap(one -> one.getAccessesFromSelf().stream())
                .filter(WallsTest::isOpening)
                .map(call -> call.getOriginOwner().getSimpleName() + " " + call.getName())
                .toList();
    }

    private static boolean leadsBelowARoot(JavaAccess<?> call) {
        JavaClass owner = call.getTargetOwner();
        return call.getName().equals("root")
                && (owner.isEquivalentTo(Target.class) || owner.isEquivalentTo(ProcessFiles.class));
    }

    private static boolean isOpening(JavaAccess<?> call) {
        return OPENING.matcher(call.getTargetOwner().getName() + " " + call.getName())
                .matches();
    }

    @Test
    void nothingPrintsButThePrinter() {
        Set<String> ways = Stream.of(CLASSES, RECORDER)
                .flatMap(JavaClasses::stream)
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(WallsTest::isWay)
                .map(access -> nameOf(access.getOriginOwner()) + " "
                        + access.getTargetOwner().getSimpleName() + "." + access.getName())
                .collect(Collectors.toSet());
        assertThat(ways).as("ways to the terminal").isEqualTo(MAY);
    }

    private static boolean isWay(JavaAccess<?> access) {
        if (access.getOriginOwner().isEquivalentTo(Printer.class)
                && access.getTargetOwner().isEquivalentTo(Printer.class)) {
            return false;
        }
        boolean hasPlace = access.getName().equals("printStackTrace")
                && access instanceof JavaCodeUnitAccess<?> call
                && !call.getTarget().getRawParameterTypes().isEmpty();
        return !hasPlace
                && WAYS.entrySet().stream()
                        .anyMatch(way -> access.getTargetOwner().isAssignableTo(way.getKey())
                                && (way.getValue().isEmpty() || way.getValue().contains(access.getName())));
    }

    private static String nameOf(JavaClass type) {
        return type.getName().replaceFirst("^io\\.threadclock\\.", "").replaceFirst("\\$.*", "");
    }

    @Test
    void nothingButStandardStreamNamesATerminal() {
        assertThat(sourcesWith(A_TERMINAL, "cli/src/main", "recorder/src/main"))
                .containsExactly(SOURCES.resolve("process/StandardStream.java"));
    }

    /** Reads the sources, because ArchUnit sees no literals. */
    private static List<Path> sourcesWith(Pattern words, String... folders) {
        List<Path> found = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.walk(DocumentedScreen.HOME.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> words.matcher(text(file)).find())
                        .forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
