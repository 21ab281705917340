"""Runs a program in a terminal of 100 columns: in-terminal.py PATTERN SIGNAL PROGRAM ARGUMENT...

Copies what the program writes to standard output. When that contains PATTERN, types Ctrl-C (SIGNAL "keyboard") or sends
the signal; with "none" it does neither. Ends with the exit code of the program, or minus the signal that ended it.
"""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios

pattern, action, program = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    os.execvp(program[0], program)

seen = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # The program has closed the terminal.
        break
    if not chunk:
        break
    sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()
    seen += chunk
    if pattern in seen and action != "none":
        if action == "keyboard":
            os.write(terminal, b"\x03")
        else:
            os.kill(pid, getattr(signal, action))
        action = "none"
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
