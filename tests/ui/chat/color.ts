/** Enough of CSS colours to compute the tokens: custom properties, `color-mix(in srgb, …)`, hex, rgba. */

export type Rgba = readonly [number, number, number, number];

/** The colour that a token has when these declarations hold. */
export function colorOf(value: string, declared: Readonly<Record<string, string>>): Rgba {
  const text = value.trim();
  const named = /^var\((--[\w-]+)(?:,\s*([\s\S]+))?\)$/.exec(text);
  if (named) {
    const found = declared[named[1] ?? ''] ?? named[2];
    if (found === undefined) {
      throw new Error(`${named[1]} has no value`);
    }
    return colorOf(found, declared);
  }
  const mix = /^color-mix\(in srgb, ([\s\S]+?) (\d+)%, ([\s\S]+)\)$/.exec(text);
  if (mix) {
    return mixed(colorOf(mix[1] ?? '', declared), colorOf(mix[3] ?? '', declared), Number(mix[2]) / 100);
  }
  return plain(text);
}

function mixed(one: Rgba, other: Rgba, share: number): Rgba {
  const alpha = one[3] * share + other[3] * (1 - share);
  const part = (index: 0 | 1 | 2): number => (one[index] * one[3] * share + other[index] * other[3] * (1 - share)) / alpha;
  return [part(0), part(1), part(2), alpha];
}

function plain(text: string): Rgba {
  if (text === 'transparent') {
    return [0, 0, 0, 0];
  }
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex) {
    const full = hex.length === 3 ? [...hex].map(digit => digit + digit).join('') : hex;
    return [0, 2, 4].map(at => parseInt(full.slice(at, at + 2), 16)).concat(1) as unknown as Rgba;
  }
  const parts = /^rgba\(([^)]+)\)$/.exec(text)?.[1]?.split(',').map(Number);
  if (parts?.length !== 4) {
    throw new Error(`not a colour: ${text}`);
  }
  return parts as unknown as Rgba;
}

/** The contrast of a colour on an opaque ground, as WCAG 2 computes it. */
export function contrast(fore: Rgba, ground: Rgba): number {
  const over = [0, 1, 2].map(index => (fore[index] ?? 0) * fore[3] + (ground[index] ?? 0) * (1 - fore[3])) as unknown as Rgba;
  const [high = 0, low = 0] = [luminance(over), luminance(ground)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: Rgba): number {
  const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
