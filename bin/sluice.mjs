#!/usr/bin/env node
// The command itself: the rest is read only where Node is new enough for it.
import { refuseOldNode } from "./node-version.mjs";

refuseOldNode();
import("./run.mjs");
