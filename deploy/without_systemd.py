"""Runs a unit of systemd's where systemd does not run: the same user, environment, command and restarts.

    python3 deploy/without_systemd.py UNIT INSTANCE PIDFILE

Only what keeps the service going is read (User, EnvironmentFile, ExecStart, RestartSec, LimitNOFILE, UMask);
the rest of a unit keeps it in bounds, and needs the real systemd. The pid file names this process; the
service is its only child. It needs nothing but the standard library.
"""

from __future__ import annotations

import os
import pwd
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType


def read_unit(path: Path, instance: str) -> dict[str, list[str]]:
    """The settings of a unit, each with its values in their order."""
    settings: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        name, mark, value = line.partition("=")
        if mark and not line.startswith("#"):
            settings.setdefault(name.strip(), []).append(value.strip().replace("%i", instance))
    return settings


def read_environment(files: list[str]) -> dict[str, str]:
    """The variables of environment files; a later file wins."""
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    for file in files:
        for line in Path(file).read_text("utf-8").splitlines():
            name, mark, value = line.partition("=")
            if mark and not line.startswith("#"):
                variables[name] = value
    return variables


def main(unit: Path, instance: str, pid_file: Path) -> None:
    settings = read_unit(unit, instance)
    command = shlex.split(settings["ExecStart"][0])
    environment = read_environment(settings["EnvironmentFile"])
    user = pwd.getpwnam(settings["User"][0])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = int(settings["LimitNOFILE"][0])
    files = files if most == resource.RLIM_INFINITY else min(files, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    pid_file.write_text(f"{os.getpid()}\n", "utf-8")
    stopping = False
    service: subprocess.Popen[bytes] | None = None

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        if service is not None:
            service.terminate()

    signal.signal(signal.SIGTERM, stop)
    while not stopping:
        service = subprocess.Popen(
            command,
            env=environment,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            umask=int(settings["UMask"][0], 8),
            cwd="/",
        )
        ended = service.wait()
        print(f"{instance} ended with {ended}", flush=True)
        if not stopping:
            time.sleep(float(settings["RestartSec"][0]))
    pid_file.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
