// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HtmlTest {
    private final Html html = new Html();

    @Test
    void escapesText() {
        assertThat(html.text("a < b & \"c\" > 'd'").toString())
                .isEqualTo("a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
    }

    @Test
    void escapesAttributes() {
        assertThat(html.open("a", "title", "\" onclick=\"x").toString())
                .isEqualTo("<a title=\"&quot; onclick=&quot;x\">");
    }

    @Test
    void saysWhereAFactIsMissing() {
        assertThat(html.element("dd", null).toString()).isEqualTo("<dd>not recorded</dd>\n");
    }

    @Test
    void takesNoScriptThatWouldEndItself() {
        assertThatThrownBy(() -> html.verbatim("script", "x = '</SCRIPT>'"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
