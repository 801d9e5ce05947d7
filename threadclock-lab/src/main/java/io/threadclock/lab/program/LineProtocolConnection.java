// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One kept-alive HTTP connection that posts batches of rows to {@code /write}. It blocks and works in the calling
 * thread alone, so that the thread's CPU time is all that the client side of a batch costs.
 */
final class LineProtocolConnection implements AutoCloseable {
    private static final String ACCEPTED = "HTTP/1.1 204";
    /** Far above any batch; without it a stuck server would hold the demo for ever. */
    private static final int READ_TIMEOUT_MS = 30_000;

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    LineProtocolConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Posts the lines and waits for the server's acknowledgement.
     *
     * @throws IOException if the server does not take them
     */
    void post(String lines) throws IOException {
        byte[] body = lines.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST /write?precision=n HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        String answer = readHead();
        if (!answer.startsWith(ACCEPTED)) {
            throw new IOException("QuestDB did not take the rows: "
                    + answer.lines().findFirst().orElse(""));
        }
    }

    private String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("QuestDB closed the connection after: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
