#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes docs/top.svg: the screen of top beside a program with two pools and virtual threads, as tmux shows it. Needs tmux,
# perl, JDK 21 or newer, and a build.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../.."
readonly WIDTH=100 HEIGHT=16 WATCHED_S=10
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-picture.XXXXXX")
program=
trap '[[ -z $program ]] || kill "$program" 2>/dev/null; tmux -S "$scratch/tmux" kill-server 2>/dev/null; rm -rf -- "$scratch"' EXIT

cat >"$scratch/Shop.java" <<'END'
import java.nio.file.*;
import java.util.Random;
import java.util.concurrent.*;

class Shop {
    interface Work { void run() throws Exception; }

    static void pool(ThreadFactory factory, int threads, int pauseMs, Work work) {
        for (int i = 0; i < threads; i++) {
            factory.newThread(() -> {
                try {
                    while (true) { work.run(); Thread.sleep(pauseMs); }
                } catch (Exception ended) { return; }
            }).start();
        }
    }

    static ThreadFactory named(String name) {
        int[] number = {0};
        return task -> new Thread(task, name + number[0]++);
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Files.write(Path.of(arguments[0]), new byte[1 << 22]);
        pool(named("http-nio-8080-exec-"), 8, 20, () -> new Random().ints(100_000).sorted().sum());
        pool(named("log-writer-"), 2, 20, () -> Files.readAllBytes(file));
        pool(Thread.ofVirtual().name("order-", 0).factory(), 200, 500, () -> new Random().ints(60_000).max());
        Thread.sleep(Long.MAX_VALUE);
    }
}
END
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"${java}c" -d "$scratch" "$scratch/Shop.java"
"$java" -XX:+UseParallelGC -agentpath:"$PWD/native/build/libthreadclock.so=virtual" -cp "$scratch" Shop "$scratch/file" &
program=$!
sleep 3
tmux -S "$scratch/tmux" -f /dev/null new-session -d -x "$WIDTH" -y "$HEIGHT" env LC_ALL=C.UTF-8 TERM=screen-256color ./threadclock top "$program"
until tmux -S "$scratch/tmux" capture-pane -p | grep -q 'CPU [0-9]'; do
  tmux -S "$scratch/tmux" has-session
  sleep 0.2
done
sleep "$WATCHED_S"
tmux -S "$scratch/tmux" capture-pane -e -p | perl -CS -Mstrict -e '
  my ($wide, $high, $top, $left) = (8.4, 18, 22, 12);
  my ($columns, $rows) = @ARGV;
  my ($width, $height) = ($columns * $wide + 2 * $left, $rows * $high + 2 * 10);
  print qq{<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$width" height="$height" role="img">\n},
    qq{<title>threadclock top</title>\n<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n},
    qq{<g font-family="ui-monospace, DejaVu Sans Mono, monospace" font-size="14" fill="#c9d1d9">\n};
  my $y = $top;
  for my $line (<STDIN>) {
    chomp $line;
    my ($column, $fill, $back, $faint) = (0, "", 0, 0);
    for my $part (split /(\e\[[\d;]*m)/, $line) {
      if ($part =~ /^\e\[([\d;]*)m/) {
        for my $code (split /;/, $1 || "0") {
          ($fill, $back, $faint) = ("", 0, 0) if $code == 0;
          $fill = "#3fb950" if $code == 32; $fill = "#f85149" if $code == 31; $fill = "" if $code == 39;
          $faint = 1 if $code == 2; $back = 1 if $code == 7; $back = 0 if $code == 27;
        }
        next;
      }
      my $x = $left + $column * $wide;
      my $length = length($part) * $wide;
      $column += length $part;
      printf qq{<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#c9d1d9"/>\n}, $x, $y - 14, $length, $high if $back && $length;
      next if $part !~ /\S/;
      (my $text = $part) =~ s/&/&amp;/g; $text =~ s/</&lt;/g; $text =~ s/ /\x{a0}/g; # blanks would be folded
      printf qq{<text x="%.1f" y="%d" textLength="%.1f"%s%s>%s</text>\n}, $x, $y, $length,
        $back ? q{ fill="#0d1117"} : $fill ? qq{ fill="$fill"} : "", $faint ? q{ opacity="0.6"} : "", $text;
    }
    $y += $high;
  }
  print "</g>\n</svg>\n"' "$WIDTH" "$HEIGHT" >"$scratch/top.svg"
mv -- "$scratch/top.svg" docs/top.svg
