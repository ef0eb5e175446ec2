// Parts that most pages with a list have, imported together so that the bundler puts them into one
// file: as many small ones they are a tenth more on the wire.
import "../core/series.ts";
import "../core/time/grid.ts";
import "./chart/small.tsx";
import "./range.tsx";
import "./request.tsx";
