// A sender that is faster than its reader: whatever else is to do has its turn in between.
import { expect, test } from "bun:test";
import { readDestination } from "./destination.ts";
import { RawVendor } from "./fixtures/raw-vendor.ts";
import { WireConnection } from "./wire-connection.ts";

const totalBytes = 24 * 1024 * 1024;
const bytesPerTurnMax = 1024 * 1024;

test("others have their turn after so many bytes, however fast more of them come", async () => {
  await using vendor = await RawVendor.listening();
  const connection = WireConnection.open(readDestination(vendor.url));
  let [bytes, bytesThisTurn, most] = [0, 0, 0];
  const all = Promise.withResolvers<void>();
  const turn = () => {
    bytesThisTurn = 0;
    if (bytes < totalBytes) setImmediate(turn);
    else all.resolve();
  };
  connection.carry({
    received(piece) {
      // The system's buffers fill up again while this takes its time.
      Bun.sleepSync(3);
      bytes += piece.length;
      most = Math.max(most, (bytesThisTurn += piece.length));
    },
    closed() {},
  });
  const peer = await vendor.next();
  turn();
  peer.socket.write(Buffer.alloc(totalBytes, "x"));
  await all.promise;
  connection.drop();
  expect(most).toBeLessThanOrEqual(bytesPerTurnMax);
});
