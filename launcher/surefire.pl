# SPDX-License-Identifier: Apache-2.0
#
# surefire.pl UNIT, with the paths of Surefire's and Failsafe's reports in standard input: writes what they say into
# UNIT.tap/MODULE/CLASS, as prove keeps what TAP programs say, and into UNIT.flaky what was green when it was tried again.
# A class that has begun, as UNIT.log says, and has no report has failed; nested ones are in the report of theirs. Prints the time of each class, as prove does.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Path qw(make_path);

my ($unit) = @ARGV;
my (%reported, @flaky);
while (<STDIN>) {
    chomp;
    read_report($_, "$1$2", $3) if m{([^/]+)/target/(?:surefire|failsafe)-reports([^/]*)/TEST-(.*)\.xml$};
}
for my $class (grep { !$reported{$_} } content("$unit.log") =~ / Running ([^\s\$]+)$/mg) {
    write_lines("$unit.tap/cut-off/$class", 'not ok - ends: it hung, or was cut off, or its JVM crashed');
}
write_lines("$unit.flaky", @flaky) if @flaky;

sub read_report {
    my ($path, $module, $class) = @_;
    my $report = content($path) =~ s{<system-(out|err)>.*?</system-\1>}{}gsr;
    $reported{$class} = 1;
    write_lines("$unit.tap/$module/$class", map { told("$module/$class", $_) } $report =~ m{<testcase (.*?(?:/>|</testcase>))}gs);
    printf "%s/%s .. ok %d ms\n", $module, $class, 1000 * $1 if $report =~ /<testsuite .*? time="([0-9.]+)"/s;
}

# What comes before the tests of a class has no name, and is told as a failure even if it was green the second time.
sub told {
    my ($class, $test) = @_;
    my ($name) = $test =~ /\bname="(.*?)"/;
    my ($kind, $message) = $test =~ /<(failure|error|flakyFailure|flakyError)\b(?: message="(.*?)")?/s;
    my $is_green = !$kind || $kind =~ /^flaky/ || $name eq '' && $test !~ /<rerun/;
    my $sentence = plain($name eq '' ? 'begins' : $name);
    push @flaky, "$class: $sentence" if $kind && $is_green;
    return ("not ok - $sentence", map { '# ' . plain($_) } split /&#10;/, $message // $kind) unless $is_green;
    return $kind && $name eq '' ? () : "ok - $sentence" . ($test =~ /<skipped/ ? ' # SKIP' : '');
}

sub plain {
    my %characters = (lt => '<', gt => '>', quot => '"', apos => "'", amp => '&');
    return $_[0] =~ s/&(\w+);/$characters{$1} \/\/ ' '/ger;
}

sub content {
    open my $in, '<', $_[0] or die "$_[0]: $!";
    local $/;
    return <$in> // '';
}

sub write_lines {
    my ($path, @lines) = @_;
    make_path(dirname($path));
    open my $out, '>>', $path or die "$path: $!";
    print $out map { "$_\n" } @lines;
}
