// The repository's laws. There is no list of exceptions: what breaks a law is changed, or the law
// is. That each law still bites is proven in tidy/scanners.test.ts and its sibling.
import { describe, expect, test } from "bun:test";
import { catalogue } from "../src/core/errors.ts";
import { catalogueFindings } from "./tidy/catalogue.ts";
import {
  colourFindings,
  consoleFindings,
  sheetFindings,
  unreachedFindings,
} from "./tidy/console.ts";
import { dependencyFindings } from "./tidy/dependencies.ts";
import { exportFindings } from "./tidy/exports.ts";
import { familyFindings } from "./tidy/families.ts";
import { firstWordFindings } from "./tidy/first-words.ts";
import { fixtureFindings } from "./tidy/fixtures.ts";
import { privateWordFindings } from "./tidy/glossary.ts";
import { cycleFindings, unusedFindings } from "./tidy/graph.ts";
import { layerFindings } from "./tidy/layers.ts";
import { loadingFindings } from "./tidy/loading.ts";
import { localFindings } from "./tidy/locals.ts";
import { meaningFindings } from "./tidy/meanings.ts";
import { modelNameFindings } from "./tidy/model-names.ts";
import { emptyWordFindings, kebabFindings } from "./tidy/names.ts";
import { bagFindings, needsFindings, spreadFindings } from "./tidy/needs.ts";
import { callFindings } from "./tidy/plane/calls.ts";
import { faceFindings, statedCalls } from "./tidy/plane/faces.ts";
import { fieldPlaceFindings } from "./tidy/plane/fields.ts";
import { platformFindings } from "./tidy/platform.ts";
import { readRepository } from "./tidy/repository.ts";
import { requirementFindings } from "./tidy/requirements.ts";
import * as sizes from "./tidy/sizes.ts";
import { show } from "./tidy/source.ts";
import { sqlFindings } from "./tidy/sql.ts";
import { lockFindings, machineFindings } from "./tidy/texts.ts";
import { titleFindings } from "./tidy/titles.ts";
import { bannedWordFindings, ownedWordFindings, testFindings } from "./tidy/tokens.ts";
import { usageColumnFindings } from "./tidy/usage-columns.ts";

const { paths, bytes, texts, sources } = await readRepository();

describe("structure", () => {
  test("a module imports only what lies below it", () => {
    expect(show(layerFindings(sources))).toEqual([]);
  });

  test("no file imports itself in a circle", () => {
    expect(show(cycleFindings(sources))).toEqual([]);
  });

  test("every source file is reached from the entry", () => {
    expect(show(unusedFindings(sources))).toEqual([]);
  });

  test("what few gateways need is loaded when it is needed", () => {
    expect(show(loadingFindings(sources))).toEqual([]);
  });

  test("what a file exports another one imports", () => {
    expect(show(exportFindings(sources))).toEqual([]);
  });

  test("only the registry names a family's folder", () => {
    expect(show(familyFindings(sources))).toEqual([]);
  });

  test("families, vendors and models are named in their own folders", () => {
    expect(show(modelNameFindings(sources))).toEqual([]);
  });

  test("what is handed over is called needs, is short, and is put together field by field", () => {
    expect(show(bagFindings(sources))).toEqual([]);
    expect(show(needsFindings(sources))).toEqual([]);
    expect(show(spreadFindings(sources))).toEqual([]);
  });

  test("a name that a room exports means one thing in the whole house", () => {
    expect(show(meaningFindings(sources))).toEqual([]);
  });

  test("a local says what it is, not only that something was done", () => {
    expect(show(localFindings(sources))).toEqual([]);
  });

  test("a column of the usage log stands in few files", () => {
    expect(show(usageColumnFindings(sources))).toEqual([]);
  });

  test("the control plane is stated as calls, and contracts load nothing of the gateway", () => {
    expect(show(callFindings(sources))).toEqual([]);
  });

  test("a field of a key, a channel or a price stands in its four places", () => {
    expect(show(fieldPlaceFindings(sources))).toEqual([]);
  });

  test("every call of the control plane has a page or a command, or says why it has none", async () => {
    const calls = await statedCalls(sources);
    expect(calls.length).toBeGreaterThan(150);
    expect(show(faceFindings(calls, sources))).toEqual([]);
  });

  test("SQL stays in the store and in queries.ts", () => {
    expect(show(sqlFindings(sources))).toEqual([]);
  });

  test("only the http layer sees the platform's Request and Response", () => {
    expect(show(platformFindings(sources))).toEqual([]);
  });

  test("time, chance, network, environment, console and exit stay with their owners", () => {
    expect(show(ownedWordFindings(sources))).toEqual([]);
  });

  test("no test is imported, and fixtures hold none and are for tests alone", () => {
    expect(show(fixtureFindings(sources))).toEqual([]);
  });

  test("every code of the error catalogue is used", () => {
    expect(show(catalogueFindings(Object.keys(catalogue), sources))).toEqual([]);
  });
});

describe("the console", () => {
  test("calls from one place, makes no markup of text, and has its words beside its pages", () => {
    expect(show(consoleFindings(sources))).toEqual([]);
  });

  test("has its colours among the tokens", () => {
    expect(show(colourFindings(texts))).toEqual([]);
  });

  test("shows nothing that another page's styles are for", () => {
    expect(show(sheetFindings(texts))).toEqual([]);
  });

  test("has no file that nothing leads to", () => {
    expect(show(unreachedFindings(sources))).toEqual([]);
  });
});

describe("writing", () => {
  test("no banned word stands in code or comments", () => {
    expect(show(bannedWordFindings(sources))).toEqual([]);
  });

  test("every test runs and every expectation says something", () => {
    expect(show(testFindings(sources))).toEqual([]);
  });

  test("every title is a sentence, with its requirements before all else", () => {
    expect(show(titleFindings(sources))).toEqual([]);
  });

  test("the index of requirements has what titles name and nothing else", () => {
    expect(show(requirementFindings(texts, sources))).toEqual([]);
  });

  test("files and folders are named in kebab-case", () => {
    expect(show(kebabFindings(paths))).toEqual([]);
  });

  test("a name is in the words of the field, which the glossary has", () => {
    expect(show(privateWordFindings(sources, texts))).toEqual([]);
  });

  test("a comment begins with a noun or an imperative, not with a question", () => {
    expect(show(firstWordFindings(sources))).toEqual([]);
  });

  test("no name is an empty word", () => {
    expect(show(emptyWordFindings(paths))).toEqual([]);
  });
});

describe("size", () => {
  test("no file is too long", () => {
    expect(show(sizes.lengthFindings(sources))).toEqual([]);
  });

  test("every file is read rightly to its end", () => {
    expect(show(sizes.misreadFindings(sources))).toEqual([]);
  });

  test("no function is too long", () => {
    expect(show(sizes.functionFindings(sources))).toEqual([]);
  });

  test("no line is too wide", () => {
    expect(show(sizes.widthFindings(sources))).toEqual([]);
  });

  test("no folder holds too many files", () => {
    expect(show(sizes.folderFindings(sources))).toEqual([]);
  });

  test("no file is too heavy", () => {
    expect(show(sizes.weightFindings(bytes))).toEqual([]);
  });
});

describe("provenance", () => {
  test("no file names a path of one machine or a package registry", () => {
    expect(show(machineFindings(texts))).toEqual([]);
  });

  test("the lock files are bound to no registry", () => {
    expect(show(lockFindings(texts))).toEqual([]);
  });

  test("every dependency is pinned and has its reason written down", () => {
    expect(show(dependencyFindings(texts))).toEqual([]);
  });
});
