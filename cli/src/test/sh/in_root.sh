#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The steps in the root with only a JRE: each step's output goes to /tmp/STEP.out and .err, its status to .status.
export PATH=/opt/bin:/usr/bin:/bin LC_ALL=C
patient=--timeout=120 # a busy machine takes longer than the 10 s that a JVM has to answer
java=$(echo /usr/lib/jvm/java-17-openjdk-*/bin/java)
cd /

step() { # name, command…
  name=$1
  shift
  "$@" >"/tmp/$name.out" 2>"/tmp/$name.err"
  echo "$?" >"/tmp/$name.status"
}

waiting() { # name, what starts it…
  name=$1
  shift
  mkfifo "/tmp/$name.in" "/tmp/$name.said"
  "$@" "$java" -Xmx32m -cp /tmp Waiting <"/tmp/$name.in" >"/tmp/$name.said" 2>"/tmp/$name.err" &
  pid=$!
  exec 8>"/tmp/$name.in" 9<"/tmp/$name.said"
  read -r said <&9
  echo "$said" >"/tmp/$name.out"
}

end_waiting() { # name
  exec 8>&- 9<&-
  wait "$pid"
  echo "$?" >"/tmp/$1.status"
}

step version threadclock --version
step usage threadclock frobnicate
step missing threadclock attach 999999
step doctor threadclock doctor
step json threadclock doctor --json

waiting target
step of_target threadclock doctor $patient "$pid"
step attach threadclock attach $patient "$pid"
step attached threadclock doctor --json $patient "$pid"
step detach threadclock detach $patient "$pid"
threadclock export $patient --prometheus=0 "$pid" >/tmp/export.out 2>/tmp/export.err 8>&- 9<&- & # which keep the JVM waiting
exporter=$!
until [ -n "$(sed -n '/read by/p' /tmp/export.out)" ] || ! kill -0 "$exporter" 2>/dev/null; do sleep 0.05; done
end_waiting target
wait "$exporter"
echo "$?" >/tmp/export.status

waiting started threadclock run --verbose $patient --
step of_started threadclock doctor --json $patient "$pid"
end_waiting started

step old env JAVA_HOME=/tmp/old threadclock --version
