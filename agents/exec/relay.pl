use strict;
use Socket;
$SIG{PIPE} = "IGNORE";
my ($kind, $to, $tries) = @ARGV;
my $unix = $kind eq "unix";
my $address = $unix ? pack_sockaddr_un($to) : pack_sockaddr_in($to, INADDR_LOOPBACK);
my $server;
for (;;) {
  socket($server, $unix ? PF_UNIX : PF_INET, SOCK_STREAM, 0) or exit 3;
  last if connect($server, $address);
  exit 3 if $tries-- <= 0;
  select(undef, undef, undef, 0.1);
}
syswrite(STDOUT, "+");
sub pass {
  my ($from, $into) = @_;
  my $bytes;
  while (sysread($from, $bytes, 65536)) {
    my $done = 0;
    while ($done < length $bytes) {
      my $wrote = syswrite($into, $bytes, length($bytes) - $done, $done);
      return unless defined $wrote;
      $done += $wrote;
    }
  }
}
my $child = fork;
exit 3 unless defined $child;
if ($child == 0) {
  pass(\*STDIN, $server);
  shutdown($server, 1);
  exit 0;
}
pass($server, \*STDOUT);
kill "TERM", $child;
