// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.NativeImageMetadata.Method;
import io.threadclock.NativeImageMetadata.Type;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the metadata for GraalVM's native-image with the code: what it names is there, and what the code looks up by name
 * is in it. No image is built.
 */
class NativeImageMetadataTest {
    private static final Path SOURCES = Path.of("src/main");
    private static final Path C_SOURCES = Path.of("../threadclock-native/src/main/c/jvm");

    /** Members by the Java version that brought them. The code expects that older ones lack them. */
    private static final Map<String, Integer> SINCE = Map.of(
            "java.lang.BaseVirtualThread", 21,
            "java.lang.VirtualThread", 21,
            "java.lang.ThreadBuilders$BoundVirtualThread", 21,
            "java.lang.Thread$Builder", 21,
            "java.lang.Thread$Builder$OfVirtual", 21,
            "java.lang.Thread.isVirtual()", 21,
            "java.lang.Thread.ofVirtual()", 21,
            "java.lang.Thread.currentCarrierThread()", 21,
            "java.util.concurrent.Executors.newThreadPerTaskExecutor(java.util.concurrent.ThreadFactory)", 21,
            "java.lang.management.MemoryMXBean.getTotalGcCpuTime()", 26);

    /** It looks for methods of a class of the boot loader, and an image takes none. */
    private static final Set<String> OF_CLOCKS = Set.of("BootClocks");

    /** C files whose lookups an image does, too. */
    private static final Set<String> LOOK_UP_IN_AN_IMAGE = Set.of("java_thread.c", "java_boost.c");

    /**
     * C files whose lookups an image never needs: the agent's, and those that {@link ThreadMXBeanBoost} does after it has
     * found HotSpot; and those for clocks of virtual threads, which are given up when the boot loader takes no class.
     */
    private static final Set<String> NEED_HOTSPOT = Set.of(
            "attachment.c",
            "boot_classes.c",
            "carriers.c",
            "handles.c",
            "rebinding.c",
            "virtual_clocks.c",
            "virtual_threads.c");

    private static final Pattern LOOKUP_IN_C =
            Pattern.compile("\\)->(?:FindClass|Get(?:Static)?(?:Method|Field)ID|RegisterNatives|DefineClass)\\(");
    private static final Pattern LITERAL_IN_C = Pattern.compile("(?m)^#include.*$|(?s)/\\*.*?\\*/|\"([^\"\\n]*)\"");
    private static final Pattern METHOD_IN_C = Pattern.compile("\"([^\"]+)\", \"(\\([^\"]*\\)[^\"]+)\"");
    private static final Pattern FIELD_IN_C = Pattern.compile("field\\(env, \\w+, \"([^\"]+)\"\\)");

    private static final Pattern LOOKUP_IN_JAVA = Pattern.compile(
            "Class\\.forName\\(|MethodHandles\\.|\\.getMethod\\(|\\.getDeclared|\\.getResource|ServiceLoader|Proxy\\.");
    private static final Pattern TYPE_IN_JAVA = Pattern.compile("\"((?:[a-z]+\\.)+[A-Z][\\w$]*\\w)\"");
    private static final Pattern METHOD_IN_JAVA =
            Pattern.compile("(?:getMethod|find\\w*)\\(\\s*(?:[\\w.]+,\\s*)?\"(\\w+)\"");
    private static final Pattern DESCRIPTOR = Pattern.compile("FunctionDescriptor\\.of\\((.*?)\\)");
    private static final Pattern LINKER_OPTION = Pattern.compile("Linker\\.Option\\.(\\w+\\(.*?\\))");

    private static final Map<String, String> LAYOUTS = Map.of("JAVA_INT", "jint", "JAVA_LONG", "jlong");

    private final NativeImageMetadata metadata = NativeImageMetadata.in(root());

    @Test
    void namesTypesThatExist() {
        assertThat(metadata.types().filter(isExpected()).filter(name -> typeNamed(name) == null))
                .as("types that this JDK and the library do not have")
                .isEmpty();
        assertThat(metadata.conditions().filter(name -> typeNamed(name) == null))
                .as("types of conditions")
                .isEmpty();
    }

    @Test
    void namesMembersThatExist() {
        Set<String> existing = new HashSet<>();
        metadata.types().forEach(name -> existing.addAll(membersOf(typeNamed(name))));
        assertThat(metadata.reflection().stream()
                        .filter(entry -> isExpected().test(entry.type()))
                        .flatMap(Type::members)
                        .filter(isExpected()))
                .as("members with these parameters")
                .isNotEmpty()
                .isSubsetOf(existing);
    }

    @Test
    void listsTheClassesWithNativeMethods() throws IOException {
        Set<String> withNatives = classes()
                .filter(type -> Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> Modifier.isNative(method.getModifiers())))
                .map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(withNatives).isNotEmpty();
        assertThat(metadata.accessibleByJni().map(Type::type))
                .as("types for JNI")
                .containsAll(withNatives);
    }

    /** A file of another kind needs a decision: whether an image does its lookups. */
    @Test
    void knowsEachCFileThatLooksUpByName() throws IOException {
        Set<String> known = new HashSet<>(LOOK_UP_IN_AN_IMAGE);
        known.addAll(NEED_HOTSPOT);
        try (Stream<Path> files = Files.walk(C_SOURCES.getParent())) {
            assertThat(files.filter(file -> file.toString().endsWith(".c")
                                    && LOOKUP_IN_C.matcher(text(file)).find())
                            .map(file -> file.getFileName().toString()))
                    .as("files in %s that call JNI's lookups", C_SOURCES.getParent())
                    .containsExactlyInAnyOrderElementsOf(known);
        }
    }

    @Test
    void listsWhatTheCCodeLooksUp() {
        for (String file : LOOK_UP_IN_AN_IMAGE) {
            CFile source = new CFile(text(C_SOURCES.resolve(file)));
            assertThat(metadata.accessibleByJni().map(Type::type))
                    .as("types for JNI")
                    .containsAll(source.types());
            assertThat(metadata.accessibleByJni()
                            .filter(entry -> source.types().contains(entry.type()))
                            .flatMap(Type::members))
                    .as("what is listed for JNI, of what %s looks up", file)
                    .containsExactlyInAnyOrderElementsOf(source.members());
            assertThat(source.otherLiterals())
                    .as("literals of %s that may be names, too", file)
                    .isEmpty();
        }
    }

    /** With a part of what clocks need, they would fail later, and in another way. */
    @Test
    void leavesOutTheClassThatClocksOfVirtualThreadsLookUpFirst() {
        assertThat(text(C_SOURCES.resolve("boot_classes.c"))).contains("FindClass(env, \"java/lang/Class\")");
        assertThat(metadata.accessibleByJni().map(Type::type))
                .as("types for JNI")
                .doesNotContain("java.lang.Class");
    }

    /** The types of conditions are the classes that look up, or have natives that do. */
    @Test
    void hasEntriesForEachClassThatLooksUpByName() throws IOException {
        Set<String> conditions = metadata.conditions().collect(Collectors.toSet());
        assertThat(javaSources()
                        .filter(file -> LOOKUP_IN_JAVA.matcher(text(file)).find())
                        .map(NativeImageMetadataTest::nameOf)
                        .filter(name -> !OF_CLOCKS.contains(name))
                        .map(name -> "io.threadclock." + name))
                .as("classes that use reflection, method handles or resources")
                .isNotEmpty()
                .isSubsetOf(conditions);
    }

    @Test
    void listsTheTypesAndMethodsThatJavaCodeLooksUp() throws IOException {
        Set<String> methods = metadata.reflection().stream()
                .flatMap(entry -> entry.methods().stream())
                .map(Method::name)
                .collect(Collectors.toSet());
        assertThat(inJavaSources(TYPE_IN_JAVA))
                .as("types that sources name in literals")
                .isNotEmpty()
                .isSubsetOf(metadata.types().collect(Collectors.toSet()));
        assertThat(inJavaSources(METHOD_IN_JAVA))
                .as("methods that sources look up")
                .isNotEmpty()
                .isSubsetOf(methods);
    }

    @Test
    void matchesTheNativeLibraryOfEachPlatform() {
        assertThat(Stream.of("amd64", "aarch64")
                        .map(processor -> new Platform("Linux", processor).directory())
                        .map(directory -> "META-INF/native/" + directory + "/libthreadclock.so"))
                .allMatch(metadata::hasResource);
    }

    @Test
    void matchesEachFileOfTheJarThatIsNoClass() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> root().relativize(file).toString())
                            .filter(name -> !name.endsWith(".class") && !name.startsWith("META-INF/native-image/")))
                    .as("files of the jar")
                    .isNotEmpty()
                    .allMatch(metadata::hasResource);
        }
    }

    @Test
    void listsTheDescriptorsOfTheForeignFunctions() throws IOException {
        assertThat(metadata.foreign().downcalls().stream().map(call -> call.returnType() + call.parameterTypes()))
                .as("result and parameters")
                .containsExactlyInAnyOrderElementsOf(new TreeSet<>(inJavaSources(DESCRIPTOR).stream()
                        .map(NativeImageMetadataTest::canonical)
                        .toList()));
    }

    @Test
    void hasTheOptionsOfTheForeignFunctions() throws IOException {
        assertThat(inJavaSources(LINKER_OPTION)).as("options in the sources").isNotEmpty();
        assertThat(metadata.foreign().downcalls()).as("options").allSatisfy(call -> assertThat(
                        inJavaSources(LINKER_OPTION))
                .containsOnly("critical(" + call.options().critical().allowHeapAccess() + ")"));
        assertThat(inJavaSources(Pattern.compile("(upcallStub)"))).as("upcalls").isEmpty();
    }

    // ---- the classes ----

    private static Predicate<String> isExpected() {
        return name -> SINCE.getOrDefault(name, 0) <= Runtime.version().feature();
    }

    private static Class<?> typeNamed(String name) {
        try {
            return Class.forName(name, false, NativeImageMetadataTest.class.getClassLoader());
        } catch (ClassNotFoundException none) {
            return null;
        }
    }

    /** As native-image does, this looks at what the type itself declares. */
    private static List<String> membersOf(Class<?> type) {
        List<String> members = new ArrayList<>();
        if (type != null) {
            Arrays.stream(type.getDeclaredFields())
                    .forEach(field -> members.add(type.getName() + "#" + field.getName()));
            Arrays.stream(type.getDeclaredMethods())
                    .forEach(method -> members.add(member(type, method.getName(), method.getParameterTypes())));
            Arrays.stream(type.getDeclaredConstructors())
                    .forEach(one -> members.add(member(type, "<init>", one.getParameterTypes())));
        }
        return members;
    }

    private static String member(Class<?> type, String name, Class<?>... parameters) {
        return type.getName() + "."
                + new Method(
                        name, Arrays.stream(parameters).map(Class::getTypeName).toList());
    }

    private static Path root() {
        try {
            return Path.of(NativeLibrary.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Stream<Class<?>> classes() throws IOException {
        try (Stream<Path> files = Files.walk(root().resolve("io"))) {
            return files
                    .map(file -> root().relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .<Class<?>>map(name -> typeNamed(name.replace(".class", "").replace('/', '.')))
                    .toList()
                    .stream();
        }
    }

    // ---- the sources ----

    private static Stream<Path> javaSources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    /** The first groups of all matches, except in sources that deal with clocks. */
    private static List<String> inJavaSources(Pattern pattern) {
        try {
            return javaSources()
                    .filter(file -> !OF_CLOCKS.contains(nameOf(file)))
                    .flatMap(file -> pattern.matcher(text(file)).results())
                    .map(found -> found.group(1))
                    .toList();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static String nameOf(Path javaSource) {
        return javaSource.getFileName().toString().replace(".java", "");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** Result and parameters of a descriptor in the names of the linker's canonical layouts. */
    private static String canonical(String layouts) {
        List<String> names = Stream.of(layouts.split(", "))
                .map(layout -> LAYOUTS.getOrDefault(layout, layout))
                .toList();
        return names.get(0) + names.subList(1, names.size());
    }

    /** A C file that looks up classes by literals, and members of the last one. */
    private record CFile(String text) {
        private static final Pattern CLASS = Pattern.compile("FindClass\\(env, \"([^\"]+)\"\\)");

        List<String> types() {
            return found(CLASS).stream().map(name -> name.replace('/', '.')).toList();
        }

        String type() {
            return types().get(types().size() - 1);
        }

        /** ThrowNew() calls a constructor that no literal names. */
        List<String> members() {
            List<String> members = new ArrayList<>();
            METHOD_IN_C
                    .matcher(text)
                    .results()
                    .forEach(method ->
                            members.add(type() + "." + new Method(method.group(1), parametersOf(method.group(2)))));
            found(FIELD_IN_C).forEach(field -> members.add(type() + "#" + field));
            if (text.contains("->ThrowNew(")) {
                members.add(type() + ".<init>(java.lang.String)");
            }
            return members;
        }

        List<String> otherLiterals() {
            Set<String> understood = new HashSet<>(Set.of("", "J"));
            understood.addAll(found(CLASS));
            understood.addAll(found(FIELD_IN_C));
            METHOD_IN_C
                    .matcher(text)
                    .results()
                    .forEach(method -> understood.addAll(List.of(method.group(1), method.group(2))));
            return found(LITERAL_IN_C).stream()
                    .filter(literal -> literal != null && !understood.contains(literal))
                    .toList();
        }

        private List<String> found(Pattern pattern) {
            return pattern.matcher(text).results().map(one -> one.group(1)).collect(Collectors.toList());
        }

        private static List<String> parametersOf(String signature) {
            return java.lang.invoke.MethodType.fromMethodDescriptorString(
                            signature, NativeImageMetadataTest.class.getClassLoader())
                    .parameterList()
                    .stream()
                    .map(Class::getTypeName)
                    .toList();
        }
    }
}
