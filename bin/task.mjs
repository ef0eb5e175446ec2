#!/usr/bin/env node
// The developer's commands: the rest is read only where Node is new enough for it.
import { refuseOldNode } from "./node-version.mjs";

refuseOldNode();
import("./tasks.mjs");
