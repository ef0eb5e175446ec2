// State of the process: memory, streams, the loop, the disk, and when it was last verified and
// kept.
import type { StatusView } from "../../../src/admin/contract.ts";
import { bytes, count, millis, moment, percent } from "../../core/format.ts";
import { Dot, Meter } from "../../kit/badge.tsx";
import { Id } from "../../kit/code.tsx";
import { Card, Facts, Tile, Tiles } from "../../kit/figures.tsx";
import { lasting } from "./lasting.ts";
import { t } from "./words.ts";

type Process = NonNullable<StatusView["process"]>;

const backupCommand = "sluice backup sluice.tar.gz";

export function ProcessTiles({ process }: { process: Process }) {
  const words = t();
  const { memory, streams, disk } = process;
  const used = words.of(bytes(memory.used_bytes), bytes(memory.most_bytes));
  const free = words.freeOf(percent(disk.free_bytes, disk.size_bytes), bytes(disk.size_bytes));
  const open = words.of(count(streams.open), count(streams.most));
  return (
    <Tiles>
      <Tile
        name={words.memory}
        value={bytes(memory.used_bytes)}
        note={<Meter part={memory.used_bytes / memory.most_bytes} label={used} />}
      />
      <Tile
        name={words.streams}
        value={count(streams.open)}
        note={<Meter part={streams.open / streams.most} label={open} />}
      />
      <Tile
        name={words.requests}
        value={count(process.requests_open)}
        note={words.readOn(count(streams.read_on))}
      />
      <Tile name={words.lag} value={millis(process.loop_lag_ms)} note={words.lagNote} />
      <Tile name={words.disk} value={bytes(disk.free_bytes)} note={free} />
    </Tiles>
  );
}

export function ProcessFacts({ process }: { process: Process }) {
  const words = t();
  const { log, last_verify: verify, last_backup_at: backup } = process;
  return (
    <Card title={words.kept}>
      <Facts
        pairs={[
          [
            words.verified,
            <a href="/console/ledger?part=proof">
              {verify === null ? (
                words.never
              ) : (
                <Dot tone={verify.ok ? "good" : "bad"}>
                  {verify.ok ? words.agreed(ago(verify.at)) : words.agreedNot(ago(verify.at))}
                </Dot>
              )}
            </a>,
          ],
          [
            words.backup,
            backup === null ? (
              <span class="row">
                <Dot tone="warn">{words.noBackup}</Dot>
                <Id text={backupCommand} />
              </span>
            ) : (
              <span title={moment(backup, "full")}>{ago(backup)}</span>
            ),
          ],
          [words.log, words.logOf(count(log.rows))],
          [
            words.dropped,
            log.dropped === 0 ? words.none : <span class="bad">{count(log.dropped)}</span>,
          ],
        ]}
      />
    </Card>
  );
}

function ago(at: number): string {
  return t().ago(lasting(Math.max(0, Date.now() / 1000 - at)));
}
