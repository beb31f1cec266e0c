#!/usr/bin/env bash
# Starts a house on a bare Debian machine: nginx with TLS, PostgreSQL, three processes. Run it as root, from a checkout.
#
#   deploy/up.sh            install what is missing, and start everything
#   deploy/up.sh down       stop what it started; nothing is removed
#
# NAME    the name people use (localhost)         LISTEN        where nginx takes HTTPS (127.0.0.1:443)
# LISTEN_PLAIN  where it sends HTTP to HTTPS (127.0.0.1:80)
#
# Where systemd does not run, the same commands are started without it (without_systemd.py reads them from the units).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
NAME=${NAME:-localhost} LISTEN=${LISTEN:-127.0.0.1:443} LISTEN_PLAIN=${LISTEN_PLAIN:-127.0.0.1:80}
PROCESSES=(one two three) CLUSTER=lammer
port=${LISTEN##*:}
PUBLIC=https://$NAME; [ "$port" = 443 ] || PUBLIC=$PUBLIC:$port

systemd() { [ -d /run/systemd/system ]; }
as() { runuser -u "$1" -- "${@:2}"; }
cluster() { pg_lsclusters --no-header | awk -v name="$CLUSTER" '$2 == name { print $'"$1"' }'; }

down() {
  if systemd; then
    systemctl stop lammer.target nginx
    systemctl stop "postgresql@$(cluster 1)-$CLUSTER"
  else
    for process in "${PROCESSES[@]}"; do
      if [ -f "/run/lammer-$process.pid" ]; then kill "$(cat "/run/lammer-$process.pid")" 2>/dev/null || true; fi
    done
    nginx -s quit 2>/dev/null || true
    pg_ctlcluster "$(cluster 1)" "$CLUSTER" stop -m fast || true
  fi
}

packages() {
  local missing=() name
  for name in nginx postgresql python3-venv openssl curl; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  if [ ${#missing[@]} -gt 0 ]; then apt-get install -y --no-install-recommends "${missing[@]}"; fi
}

program() {
  id lammer > /dev/null 2>&1 || useradd --system --home-dir /var/lib/lammer --shell /usr/sbin/nologin lammer
  local wanted
  wanted=$(cd "$here/.." && cat requirements/run.txt pyproject.toml | sha256sum)
  if [ "$(cat /opt/lammer/installed 2>/dev/null)" != "$wanted" ]; then
    /usr/bin/python3 -m venv /opt/lammer
    /opt/lammer/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
      -r "$here/../requirements/run.txt"
    echo "$wanted" > /opt/lammer/installed
  fi
  /opt/lammer/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps \
    --no-build-isolation "$here/.."
}

database() {
  # A cluster of its own, with checksums of its pages; peers come in by the socket, as themselves, without passwords.
  [ -n "$(cluster 1)" ] || pg_createcluster "$(ls /usr/lib/postgresql | sort -n | tail -1)" "$CLUSTER" -- --data-checksums
  if systemd; then systemctl enable --now "postgresql@$(cluster 1)-$CLUSTER"
  elif [ "$(cluster 4)" != online ]; then pg_ctlcluster "$(cluster 1)" "$CLUSTER" start; fi
  local there=(psql --cluster "$(cluster 1)/$CLUSTER" -qtAX)
  as postgres "${there[@]}" -c "SELECT 1 FROM pg_roles WHERE rolname = 'lammer'" | grep -q 1 \
    || as postgres createuser --cluster "$(cluster 1)/$CLUSTER" lammer
  as postgres "${there[@]}" -c "SELECT 1 FROM pg_database WHERE datname = 'house'" | grep -q 1 \
    || as postgres createdb --cluster "$(cluster 1)/$CLUSTER" --owner lammer house
  STORE="postgresql://lammer@/house?host=/var/run/postgresql&port=$(cluster 3)"
}

filled() {
  sed -e "s|@NAME@|$NAME|g" -e "s|@LISTEN_PLAIN@|$LISTEN_PLAIN|g" -e "s|@LISTEN@|$LISTEN|g" \
      -e "s|@PUBLIC@|$PUBLIC|g" -e "s|@STORE@|${STORE//&/\\&}|g" -e "s|@PROCESS@|${process:-}|g" -e "s|@PORT@|${process_port:-}|g" "$here/$1"
}

settings() {
  install -d -m 755 /etc/lammer
  install -d -m 755 -o lammer -g lammer /var/lib/lammer
  filled house.env > /etc/lammer/house.env
  local process process_port=8521
  for process in "${PROCESSES[@]}"; do
    filled process.env > "/etc/lammer/$process.env"
    install -d -m 700 -o lammer -g lammer "/var/lib/lammer/$process"
    process_port=$((process_port + 1))
  done
}

proxy() {
  install -d -m 755 /etc/lammer/tls
  # A certificate of our own, so that it starts; put your own in its place. An existing one is left alone.
  [ -f /etc/lammer/tls/house.pem ] || (umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -days 365 -subj "/CN=$NAME" -addext "subjectAltName=DNS:$NAME" \
    -keyout /etc/lammer/tls/house.key -out /etc/lammer/tls/house.pem 2>/dev/null)
  chmod 644 /etc/lammer/tls/house.pem
  filled nginx.conf > /etc/nginx/sites-available/lammer
  ln -sf ../sites-available/lammer /etc/nginx/sites-enabled/lammer
  rm -f /etc/nginx/sites-enabled/default
  # Each stream is two connections of nginx.
  sed -i 's/worker_connections [0-9]*;/worker_connections 32768;/' /etc/nginx/nginx.conf
  grep -q worker_rlimit_nofile /etc/nginx/nginx.conf || sed -i '1i worker_rlimit_nofile 65536;' /etc/nginx/nginx.conf
  nginx -t -q
  if systemd; then systemctl enable --now nginx; systemctl reload nginx
  elif [ -s /run/nginx.pid ] && kill -0 "$(cat /run/nginx.pid)" 2>/dev/null; then nginx -s reload
  else nginx; fi
}

processes() {
  local process
  if systemd; then
    install -m 644 "$here/lammer@.service" "$here/lammer.target" /etc/systemd/system/
    systemctl daemon-reload
    systemctl enable lammer.target
    systemctl restart lammer.target "${PROCESSES[@]/#/lammer@}"
  else
    for process in "${PROCESSES[@]}"; do
      if [ -f "/run/lammer-$process.pid" ] && kill -0 "$(cat "/run/lammer-$process.pid")" 2>/dev/null; then continue; fi
      setsid /usr/bin/python3 "$here/without_systemd.py" "$here/lammer@.service" "$process" "/run/lammer-$process.pid" \
        >> "/var/log/lammer-$process.log" 2>&1 < /dev/null &
    done
  fi
  local ready
  for process_port in 8521 8522 8523; do
    ready=no
    for _ in $(seq 60); do
      if curl -sf "http://127.0.0.1:$process_port/ready" > /dev/null; then ready=yes; break; fi
      sleep 0.5
    done
    [ $ready = yes ] || { echo "the process at port $process_port does not get ready; look at its log" >&2; exit 1; }
  done
}

if [ "${1:-}" = down ]; then down; exit; fi
packages; program; database; settings; proxy; processes
echo "The house is open at $PUBLIC"
echo "The first administrator comes in by:  runuser -u lammer -- /opt/lammer/bin/lammer accounts link administrator --data /var/lib/lammer/one --store '$STORE'"
