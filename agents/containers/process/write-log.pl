# Becomes a container's program, whose output another process writes to the container's log: it outlives the agent. The log has conmon's
# format, `<time> <stdout|stderr> <F|P> <text>`, and a full one is replaced as conmon does it (logs/log-files.ts).
#
# The program starts when "go" comes on stdin; if that ends first, nothing is started.
#
# Arguments: the log, the bytes that it may have, and the program with its arguments.
use strict;
use Time::HiRes ();
use POSIX ();
my ($path, $most, @command) = @ARGV;
pipe(my $out, my $out_end) and pipe(my $err, my $err_end) or die "no pipe: $!";
my $writer = fork;
defined $writer or die "no process: $!";
if ($writer != 0) {
  my $go = <STDIN>;
  exit 1 unless defined $go and $go eq "go\n";
  open(STDIN, "<", "/dev/null");
  POSIX::dup2(fileno($out_end), 1);
  POSIX::dup2(fileno($err_end), 2);
  { exec {$command[0]} @command }
  my $reason = "$command[0]: $!\n";
  POSIX::write(2, $reason, length $reason);
  POSIX::_exit(127);
}

# A session of its own: the last words of a container that is stopped are written too.
POSIX::setsid();
close $_ for $out_end, $err_end;
open($_, "+<", "/dev/null") for *STDIN, *STDOUT, *STDERR;
open(my $log, ">>", $path) or exit 1;
my $size = -s $log;
my %open = (stdout => $out, stderr => $err);
while (%open) {
  my $wanted = "";
  vec($wanted, fileno($_), 1) = 1 for values %open;
  next if select(my $ready = $wanted, undef, undef, undef) < 0;
  for my $name (keys %open) {
    next unless vec($ready, fileno($open{$name}), 1);
    my $bytes;
    if (!sysread($open{$name}, $bytes, 8192)) { delete $open{$name}; next }
    my ($seconds, $micros) = Time::HiRes::gettimeofday();
    my $time = POSIX::strftime("%Y-%m-%dT%H:%M:%S", gmtime $seconds) . sprintf(".%06dZ", $micros);
    put(join "", map { "$time $name " . (/\n\z/ ? "F $_" : "P $_\n") } $bytes =~ /[^\n]*\n|[^\n]+\z/g);
  }
}

sub put {
  my ($lines) = @_;
  if ($size + length $lines > $most) {
    open($log, ">", "$path.tmp") and rename("$path.tmp", $path) or exit 1;
    $size = 0;
  }
  $size += length $lines;
  syswrite($log, $lines);
}
