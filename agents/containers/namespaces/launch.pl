# Becomes the program of a container that is made of an image, as Docker would start it. Perl is the host's own; it runs with the
# capabilities that the container's programs have, and enters the container's root with its first step: nothing that it finds there can
# do more than a program of the container. Nothing in the image is relied upon, a shell neither.
#
# Arguments: the container's root, its user as the image has it, the working directory, how many volumes follow, these, how many
# variables follow, these as NAME=value, and the command.
use strict;
use warnings;

my $FILE_BYTES_MAX = 1 << 20;
# As many as the kernel follows.
my $LINKS_MAX = 40;
# So that a pipe in the place of a file holds up nothing.
my $O_NONBLOCK = 2048;

my ($root, $user, $folder) = splice @ARGV, 0, 3;
my $count = shift;
my @volumes = splice @ARGV, 0, $count;
$count = shift;
my @variables = splice @ARGV, 0, $count;

chroot $root or die "its root cannot be entered: $!\n";
chdir "/" or die "its root cannot be entered: $!\n";
umask 022;

# As Docker gives them to each container: its own, whatever the image has.
mkdir "/etc", 0755;
for my $name ("hostname", "hosts", "resolv.conf") {
  my $text = slurp("/.berth/etc/$name");
  next unless defined $text;
  unlink "/etc/$name";
  if (open my $file, ">", "/etc/$name") { print $file $text; close $file }
}

make_folder($_, $LINKS_MAX) for @volumes, $folder;

my ($name, $group) = split /:/, $user, 2;
$name = "0" unless defined $name && $name ne "";
my ($uid, $gid, $home, $login) = (0, 0, "/", "");
my $known = 0;
for my $line (split /\n/, slurp("/etc/passwd") // "") {
  my @of = split /:/, $line, -1;
  next unless @of >= 6 && $of[2] =~ /^\d+$/ && $of[3] =~ /^\d+$/;
  next unless $of[0] eq $name || ($name =~ /^\d+$/ && $of[2] == $name);
  ($login, $uid, $gid, $home) = @of[0, 2, 3, 5];
  $known = 1;
  last;
}
unless ($known) {
  $name =~ /^\d{1,10}$/ && $name < 4294967295 or refuse("its user $name is not in its /etc/passwd");
  $uid = $name;
}

my @groups;
my $found;
for my $line (split /\n/, slurp("/etc/group") // "") {
  my @of = split /:/, $line, -1;
  next unless @of >= 4 && $of[2] =~ /^\d+$/;
  if (defined $group) {
    $found //= $of[2] if $of[0] eq $group || ($group =~ /^\d+$/ && $of[2] == $group);
  } elsif ($login ne "" && grep { $_ eq $login } split /,/, $of[3]) {
    push @groups, $of[2];
  }
}
if (defined $group && $group ne "") {
  $found //= $group if $group =~ /^\d{1,10}$/ && $group < 4294967295;
  defined $found or refuse("its group $group is not in its /etc/group");
  $gid = $found;
}

%ENV = (PATH => "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOSTNAME => $ENV{HOSTNAME});
for (@variables) {
  my ($variable, $value) = split /=/, $_, 2;
  $ENV{$variable} = $value;
}
$ENV{HOME} = $home eq "" ? "/" : $home unless defined $ENV{HOME} && $ENV{HOME} ne "";

chdir $folder or refuse("its working directory $folder cannot be entered: $!");
# A descriptor from outside would lead to another device than the container's own.
open STDIN, "<", "/dev/null" or die "/dev/null: $!\n";
$( = $gid;
$) = join " ", $gid, $gid, @groups;
($<, $>) = ($uid, $uid);
$> == $uid && $< == $uid or refuse("it cannot become its user $user: $!");
$SIG{$_} = "DEFAULT" for qw(PIPE INT TERM HUP QUIT);

open my $ready, ">&=3" or die "nobody waits for it: $!\n";
syswrite $ready, "ready\n";
close $ready;
{ no warnings; exec { $ARGV[0] } @ARGV }
my $why = $!;
print STDERR "berth: $ARGV[0] cannot be run: $why\n";
exit($why == 2 ? 127 : 126);

sub slurp {
  my ($path) = @_;
  sysopen my $file, $path, $O_NONBLOCK or return;
  return unless -f $file;
  my $text = "";
  sysread $file, $text, $FILE_BYTES_MAX;
  return $text;
}

# A link to nowhere leads to a folder that is made too, as Docker has it.
sub make_folder {
  my ($path, $links) = @_;
  my $so_far = "";
  for my $part (grep { $_ ne "" } split m{/}, $path) {
    my $parent = $so_far;
    $so_far .= "/$part";
    next if mkdir($so_far, 0755) || !-l $so_far || -e $so_far || $links == 0;
    my $target = readlink $so_far;
    make_folder($target =~ m{^/} ? $target : "$parent/$target", $links - 1);
  }
}

# For what another attempt would not mend: the agent reads this line, and does not try again.
sub refuse {
  print STDERR "berth: it cannot be started: @_\n";
  exit 125;
}
