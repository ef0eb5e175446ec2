// Ends a process that tests have started when they end, however that is: a shell waits for the pipe
// between us to break. The runner of the tests tells nobody of its own end.
import { spawn } from "node:child_process";

const script = `cat > /dev/null
kill -QUIT "$0" 2> /dev/null
while kill -0 "$0" 2> /dev/null; do sleep 0.1; done
rm -rf "$1"`;

/** With the folder it works in; returns how to let it be, once it has ended by itself. */
export function endWithUs(pid: number, folder: string): () => void {
  const watch = spawn("sh", ["-c", script, String(pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.unref();
  return () => void watch.kill("SIGKILL");
}
