// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProfileRequestTest {
    @Test
    void namesAFileThatMayHaveABlank() {
        ProfileRequest request = new ProfileRequest(Way.THREAD_MX_BEAN, 300, Path.of("/tmp/a b/c.jfr"));
        assertThat(ProfileRequest.parse(request.toString())).isEqualTo(request);
    }

    @Test
    void refusesALineWithoutAFile() {
        assertThatThrownBy(() -> ProfileRequest.parse("NONE 300")).hasMessage("no request: NONE 300");
    }
}
