/** The cost chart, drawn by Observable Plot as SVG in colours of the theme. Loaded when a chart is first shown, never at the start. */
import { axisX, axisY, barY, gridY, plot, ruleY, text } from '@observablehq/plot';

export interface ColumnsPlot {
  width: number;
  /** Names along the time axis, oldest first; they are unique. */
  names: readonly string[];
  /** The names that have room below the axis. */
  shown: ReadonlySet<string>;
  pieces: readonly { name: string; series: string; value: number }[];
  /** What stands over each column: how high it is, and the words; "" for nothing. */
  tops: readonly { name: string; value: number; label: string }[];
  series: readonly string[];
  colours: readonly string[];
  /** A figure of the value axis. */
  figure(value: number): string;
}

const HEIGHT = 220;
const MARGIN = { top: 24, right: 8, bottom: 28 };
const COLUMN = 44; // guide section 8
const TICKS = 4; // guide section 8: four to five grid lines
const LABEL_GAP = 8;
const FIGURE_PX = 7; // width of one sign at 12 px

/** Draws the columns into a new element. Each column has a piece `.hit` over its whole height, in the order of the names. */
export function drawColumns(data: ColumnsPlot): Element {
  const top = Math.max(0, ...data.tops.map(one => one.value));
  const most = top > 0 ? top : 1;
  const marginLeft = LABEL_GAP + FIGURE_PX * Math.max(...[0, most / 3, most].map(value => data.figure(value).length));
  const band = (data.width - marginLeft - MARGIN.right) / data.names.length;
  const inset = Math.max(1, (band - COLUMN) / 2);
  return plot({
    width: data.width,
    height: HEIGHT,
    marginLeft,
    marginTop: MARGIN.top,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    className: 'crew-plot',
    x: { domain: data.names, padding: 0, label: null },
    y: { domain: [0, most], label: null, nice: true },
    color: { domain: data.series, range: data.colours },
    marks: [
      gridY({ ticks: TICKS, stroke: 'var(--crew-line)', strokeOpacity: 1 }),
      axisY({ ticks: top > 0 ? TICKS : 0, tickSize: 0, tickFormat: (value: number) => data.figure(value) }),
      axisX({ tickSize: 0, tickFormat: (name: string) => (data.shown.has(name) ? name : '') }),
      barY(data.pieces, { x: 'name', y: 'value', fill: 'series', insetLeft: inset, insetRight: inset, insetTop: 1, className: 'piece' }),
      ruleY([0], { stroke: 'var(--crew-line-strong)' }),
      text(data.tops, { x: 'name', y: 'value', text: 'label', dy: -LABEL_GAP, fill: 'var(--crew-fg)', className: 'top' }),
      barY(data.names, { x: (name: string) => name, y1: 0, y2: most, fill: 'transparent', className: 'hit' })
    ]
  });
}
