// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.OverFakeProc;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmIdentityTest extends OverFakeProc {
    private static final String ID = "0123456789abcdef".repeat(4);

    /** C stands for an id of 64 digits. */
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    /system.slice/docker-C.scope, C, '', ''
                    /docker/C, C, '', ''
                    /docker/C/init.scope, C, '', init.scope
                    /machine.slice/libpod-C.scope/container, C, '', ''
                    /user.slice/user-1000.slice/user@1000.service/user.slice/libpod-C.scope, C, '', user@1000.service
                    /system.slice/crio-C.scope, C, '', ''
                    /kubepods/burstable/pod01234567-89ab-cdef-0123-456789abcdef/C, C, 01234567-89ab-cdef-0123-456789abcdef, ''
                    /kubepods.slice/kubepods-pod01234567_89ab_cdef_0123_456789abcdef.slice/cri-containerd-C.scope, C, 01234567-89ab-cdef-0123-456789abcdef, ''
                    /k-pod01234567_89ab_cdef_0123_456789abcdef.slice:cri-containerd:C, C, 01234567-89ab-cdef-0123-456789abcdef, ''
                    /kubepods/pod0123456789abcdef0123456789abcdef/C, C, 0123456789abcdef0123456789abcdef, ''
                    /system.slice/orders.service, '', '', orders.service
                    /system.slice/orders.service/worker, '', '', orders.service
                    /user.slice/user-0.slice/session-3.scope, '', '', session-3.scope
                    /../../docker/C, C, '', ''
                    /kubepods/podless/0123456789ab, '', '', ''
                    /, '', '', ''
                    """)
    void thePathTellsContainerPodAndUnit(String path, String container, String pod, String unit) {
        String its = path.replace("C", ID);
        for (String groups : List.of("0::" + its + "\n", "11:cpu:" + its + "\n1:name=systemd:" + its + "\n0::/\n")) {
            JvmIdentity identity =
                    JvmIdentity.of(fake.write("77/cgroup", groups).target());
            assertThat(identity.resource().getOrDefault("container.id", "")).isEqualTo(container.replace("C", ID));
            assertThat(identity.labels().getOrDefault("pod", "")).isEqualTo(pod);
            assertThat(identity.labels().getOrDefault("unit", "")).isEqualTo(unit);
        }
    }
}
