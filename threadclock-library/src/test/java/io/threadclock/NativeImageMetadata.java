// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The metadata in the jar for GraalVM's native-image. The names are those of its schema, version 1.2.0, as far as the file has them;
 * Jackson refuses others.
 */
record NativeImageMetadata(String comment, List<Type> reflection, List<Resource> resources, Foreign foreign) {
    private static final String FILE = "META-INF/native-image/io.threadclock/threadclock/reachability-metadata.json";

    static NativeImageMetadata in(Path classes) {
        try {
            return new ObjectMapper().readValue(classes.resolve(FILE).toFile(), NativeImageMetadata.class);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    Stream<String> types() {
        return reflection.stream().map(Type::type).distinct();
    }

    Stream<Type> accessibleByJni() {
        return reflection.stream().filter(Type::jniAccessible);
    }

    Stream<String> conditions() {
        return Stream.concat(
                        reflection.stream().map(Type::condition),
                        resources.stream().map(Resource::condition))
                .map(Condition::typeReached)
                .distinct();
    }

    boolean hasResource(String name) {
        return resources.stream().anyMatch(resource -> FileSystems.getDefault()
                .getPathMatcher("glob:" + resource.glob)
                .matches(Path.of(name)));
    }

    record Type(Condition condition, String type, List<Method> methods, List<Field> fields, boolean jniAccessible) {
        Type {
            methods = methods == null ? List.of() : methods;
            fields = fields == null ? List.of() : fields;
        }

        /** As {@code java.lang.Thread.isVirtual()} and {@code java.lang.Thread#tid}. */
        Stream<String> members() {
            return Stream.concat(
                    methods.stream().map(method -> type + "." + method),
                    fields.stream().map(field -> type + "#" + field.name));
        }
    }

    record Condition(String typeReached) {}

    record Method(String name, List<String> parameterTypes) {
        @Override
        public String toString() {
            return name + "(" + String.join(", ", parameterTypes) + ")";
        }
    }

    record Field(String name) {}

    record Resource(Condition condition, String glob) {}

    record Foreign(List<Downcall> downcalls) {}

    record Downcall(String returnType, List<String> parameterTypes, Options options) {}

    record Options(Critical critical) {}

    record Critical(boolean allowHeapAccess) {}
}
