// Makes the program that tests run, before the first of them would wait for it.
import { programWords } from "./program.ts";

programWords();
