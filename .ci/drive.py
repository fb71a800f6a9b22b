"""Run a shell line in a pseudo-terminal up to the first screen of the quiz, press q, and expect a clean end."""

import os
import pty
import select
import signal
import sys
import time

FIRST_SCREEN = "Latent".lower()
PATIENCE = 900.0


def main(line: str) -> int:
    """Gives 0 if the screen came up, `q` ended it, and the exit code was 0."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execvp("bash", ["bash", "-c", line])
    seen, pressed, deadline = b"", False, time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
        if not pressed and FIRST_SCREEN in seen.decode(errors="replace").lower():
            os.write(terminal, b"q")
            pressed = True
    else:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if pressed and status == 0:
        print("the first screen came up, and q left it")
        return 0
    print(seen.decode(errors="replace")[-3000:])
    print(f"\nfirst screen {'seen' if pressed else 'not seen'}, exit code {status}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
