#!/usr/bin/env bash
# A customer's way: sign up, top up, rent a server, make a project, run a container, give it a public name. Needs curl.
#
#   BERTH_URL  where the gateway is; http://127.0.0.1:3000 unless set
#
# Each run makes a user, a project, a container and a name of its own, and leaves them there. The demo has four parts of this
# machine for rent: a fifth run finds none.
set -euo pipefail

url=${BERTH_URL:-http://127.0.0.1:3000}
run=$(date +%s)$$

# api METHOD PATH [BODY]: puts the body of the reply in `answer`; ends the script where it is an error.
api() {
  answer=$(curl -sS --fail-with-body --max-time 30 -X "$1" "$url/api/v1$2" \
    ${token:+-H "Authorization: Bearer $token"} -H 'Content-Type: application/json' ${3:+-d "$3"}) ||
    { printf '%s %s: %s\n' "$1" "$2" "$answer" >&2; exit 1; }
}
# field NAME: the first text of that name in the last reply.
field() { printf '%s' "$answer" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
# items: each record of the last reply on a line.
items() { printf '%s' "$answer" | sed 's/{"id":/\n&/g'; }
step() { printf '\n== %s\n' "$*"; }

token=
step "Sign up as ada$run"
api POST /auth/signup "{\"username\":\"ada$run\",\"email\":\"ada$run@example.org\",\"password\":\"a long password $run\"}"
api POST /auth/login "{\"username\":\"ada$run\",\"password\":\"a long password $run\"}"
token=$(field access_token)

step "Top up 100 dollars: an intent, the sandbox's page to pay at, and the money"
api POST /wallet/payments/cardpay/checkout "{\"amount\":\"100\",\"idempotency_key\":\"top-up-$run\"}"
intent=$(field id)
curl -sS --max-time 20 -o /dev/null -d action=pay "$(field checkout_url)"
for _ in $(seq 100); do
  api GET "/wallet/payments/cardpay/intents/$intent"
  [ "$(field status)" = pending ] || break
  sleep 0.2
done
[ "$(field status)" = completed ] || { echo "the payment is $(field status)" >&2; exit 1; }

step "A server whose host is there, for a day"
api GET "/servers/available?available_durations=1"
server=$(items | grep '"delivered_by_hand":false' | head -n 1 || true)
[ -n "$server" ] || { echo "all of them are rented" >&2; exit 1; }
total=$(printf '%s' "$server" | grep -o '"1":{[^}]*}' | grep -o '"total_first_payment":[0-9]*' | cut -d : -f 2)
answer=$server
server_id=$(field id)
api POST "/servers/$server_id/rent" "{\"rental_days\":1,\"max_charge_cents\":$total}"
echo "rented for $total cents"

step "A project, and a container of the image welcome in it"
api GET /images/public
image=$(items | grep '"alias":"welcome"' | head -n 1 | cut -d '"' -f 4)
api POST /projects "{\"name\":\"shop-$run\"}"
project=$(field id)
api POST /containers \
  "{\"project_id\":\"$project\",\"server_id\":\"$server_id\",\"image_id\":\"$image\",\"name\":\"web\"}"
container=$(field id)
for _ in $(seq 150); do
  api GET "/containers/$container"
  [ "$(field state)" = running ] && break
  sleep 0.2
done
[ "$(field state)" = running ] || { printf 'it does not run: %s\n' "$answer" >&2; exit 1; }
echo "running"

step "A public name for its port 8080"
api POST /proxy/aliases \
  "{\"container_id\":\"$container\",\"program\":\"http\",\"port\":8080,\"alias\":\"web-$run\"}"
field url

printf '\nDone.\n'
