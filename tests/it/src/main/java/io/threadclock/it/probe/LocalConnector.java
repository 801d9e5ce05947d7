// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** This JVM's MBeans through a JMX connector on the loopback interface, on a free port. */
final class LocalConnector implements AutoCloseable {
    private final JMXConnectorServer server;
    private final JMXConnector client;

    LocalConnector() throws IOException {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", "127.0.0.1", 0), null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        client = JMXConnectorFactory.connect(server.getAddress());
    }

    MBeanServerConnection connection() throws IOException {
        return client.getMBeanServerConnection();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.stop();
    }
}
