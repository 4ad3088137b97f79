# The web server of the demo's image: one page, in plain perl, because the image contains no perl modules.

$| = 1;
$SIG{TERM} = sub { exit 0 };
my ($INET, $STREAM, $SOL_SOCKET, $REUSE_ADDRESS) = (2, 1, 1, 2);
socket my $server, $INET, $STREAM, 0 or die "socket: $!\n";
setsockopt $server, $SOL_SOCKET, $REUSE_ADDRESS, 1;
bind $server, pack "S n a4 x8", $INET, 8080, "\0\0\0\0" or die "bind: $!\n";
listen $server, 64 or die "listen: $!\n";
print "web server: port 8080\n";
while (accept my $client, $server) {
  # Serves one connection after the other, each for at most a few seconds.
  eval {
    local $SIG{ALRM} = sub { die "late\n" };
    alarm 5;
    while (my $line = <$client>) { last if $line =~ /^\r?\n$/ }
    my $page = "Hello from $ENV{HOSTNAME}, a container of an image.\n";
    print $client "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " . length($page) . "\r\nConnection: close\r\n\r\n$page";
    alarm 0;
  };
  close $client;
}
