import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { type Column, valueOf } from '../../shared/costs/ledger';
import type { ColumnsPlot } from '../../shared/costs/plot';
import type { Drawn } from './Columns';
import { axisFigures, figure, longSpanName, spanName, topOf } from './words';

const NAME_PX = 46; // room for one name below the axis
const TOP_PX = 52; // room for one sum over a column

interface Pointed {
  index: number;
  left: number;
}

/** The columns, and a card with the pieces of the one that is pointed at or has the focus (guide section 8). */
export function Chart({ drawn }: { drawn: Drawn }): JSX.Element {
  const { t } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const failure = useDrawing(host, width, drawn, setPointed);
  const column = pointed ? drawn.stack.columns[pointed.index] : undefined;
  return (
    <div className="crew-chart" onKeyDown={event => move(event, host)} onPointerLeave={() => setPointed(null)} onBlur={() => setPointed(null)}>
      <div ref={host} className="host" role="group" aria-label={drawn.title} />
      {failure ? (
        <p className="crew-sm crew-t-error said" role="status">
          {t('costs.chart_failed', { message: failure })}
        </p>
      ) : null}
      {pointed && column ? <Tip drawn={drawn} column={column} left={pointed.left} width={width} /> : null}
    </div>
  );
}

const TIP_PX = 240;
const TIP_GAP = 32; // beside the column, so that its neighbours alone are covered

function Tip({ drawn, column, left, width }: { drawn: Drawn; column: Column; left: number; width: number }): JSX.Element {
  const { t } = useApp();
  const right = left + TIP_GAP + TIP_PX <= width ? left + TIP_GAP : left - TIP_GAP - TIP_PX;
  const place = Math.max(0, Math.min(right, width - TIP_PX));
  return (
    <div className="crew-card crew-tip" aria-hidden="true" style={{ left: `${place}px`, width: `${TIP_PX}px` }}>
      <div className="crew-b">{longSpanName(column.span, drawn.ledger.period, t)}</div>
      {[...column.pieces].reverse().map(piece => (
        <div key={piece.key} className="crew-row">
          <i style={{ background: drawn.colour(piece.key) }} />
          <span className="crew-ell">{drawn.name(piece.key)}</span>
          <span className="crew-num v">{figure(piece.sums, drawn.measure, t)}</span>
        </div>
      ))}
      <div className="crew-row sum">
        <span>{t('costs.sum')}</span>
        <span className="crew-num v">{column.sums.calls === 0 ? '–' : figure(column.sums, drawn.measure, t)}</span>
      </div>
    </div>
  );
}

/** The width of an element, followed. */
function useWidth(host: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return width;
}

/** Draws the chart whenever its data or the width change; why it could not be drawn, or null. */
function useDrawing(host: RefObject<HTMLElement>, width: number, drawn: Drawn, point: (at: Pointed | null) => void): string | null {
  const { t } = useApp();
  const [failure, setFailure] = useState<string | null>(null);
  const { ledger, aspect, measure } = drawn;
  const names = drawn.stack.series.map(drawn.name).join('\n'); // the agents may be known later than the ledger
  useEffect(() => {
    let left = false;
    if (width === 0) {
      return undefined;
    }
    const draw = async (): Promise<void> => {
      try {
        const { drawColumns } = await import('../../shared/costs/plot');
        if (!left && host.current) {
          const chart = drawColumns(plotOf(drawn, width, t));
          makeReachable(chart, drawn, t, point);
          host.current.replaceChildren(chart);
          setFailure(null);
        }
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
      }
    };
    void draw();
    return () => {
      left = true;
    };
    // `drawn` is made anew each time; what it is made of stands here
  }, [width, ledger, aspect, measure, names, t]); // eslint-disable-line react-hooks/exhaustive-deps
  return failure;
}

type Translate = ReturnType<typeof useApp>['t'];

function plotOf({ stack, ledger, measure, colour }: Drawn, width: number, t: Translate): ColumnsPlot {
  const names = stack.columns.map(column => spanName(column.span, ledger.period, t));
  const nth = Math.max(1, Math.ceil((names.length * NAME_PX) / width));
  const roomForTops = names.length * TOP_PX <= width;
  const last = names.length - 1;
  return {
    width,
    names,
    shown: new Set(names.filter((_name, index) => (last - index) % nth === 0)), // today always has its name
    pieces: stack.columns.flatMap((column, index) =>
      column.pieces.map(({ key, sums }) => ({ name: names[index] ?? '', series: key, value: valueOf(sums, measure) }))
    ),
    tops: stack.columns.map((column, index) => ({
      name: names[index] ?? '',
      value: valueOf(column.sums, measure),
      label: roomForTops ? topOf(column.sums, measure, t) : ''
    })),
    series: stack.series,
    colours: stack.series.map(colour),
    figure: axisFigures(Math.max(...stack.columns.map(column => valueOf(column.sums, measure))), measure, t)
  };
}

/** Gives each column a name, a place for the pointer over its whole height, and one stop of the Tab key among them. */
function makeReachable(chart: Element, drawn: Drawn, t: Translate, point: (at: Pointed | null) => void): void {
  const { columns } = drawn.stack;
  chart.querySelectorAll('g:not(.hit)').forEach(group => group.setAttribute('aria-hidden', 'true'));
  chart.querySelectorAll<SVGElement>('.hit rect').forEach((hit, index) => {
    const column = columns[index];
    if (!column) {
      return;
    }
    const total = column.sums.calls === 0 ? '–' : figure(column.sums, drawn.measure, t);
    const pieces = column.pieces.map(piece => t('costs.piece', { name: drawn.name(piece.key), figure: figure(piece.sums, drawn.measure, t) }));
    const whole = t('costs.column', { span: longSpanName(column.span, drawn.ledger.period, t), total });
    hit.setAttribute('role', 'img');
    hit.setAttribute('aria-label', [whole, ...pieces].join(', '));
    hit.setAttribute('tabindex', index === columns.length - 1 ? '0' : '-1');
    const at = (): void => point({ index, left: Number(hit.getAttribute('x')) + Number(hit.getAttribute('width')) / 2 });
    hit.addEventListener('pointerenter', at);
    hit.addEventListener('focus', at);
  });
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Arrows move between columns. */
function move(event: KeyboardEvent, host: RefObject<HTMLElement>): void {
  const hits = [...(host.current?.querySelectorAll<SVGElement>('.hit rect') ?? [])];
  const place = hits.findIndex(hit => hit === document.activeElement);
  const next = hits[place + (STEPS[event.key] ?? 0)];
  if (place >= 0 && event.key in STEPS) {
    event.preventDefault();
    hits.forEach(hit => hit.setAttribute('tabindex', hit === (next ?? hits[place]) ? '0' : '-1'));
    next?.focus();
  }
}
