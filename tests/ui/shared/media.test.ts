import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BuildWatch, pageEntry } from '@crew/shared/build';
import { nameOf, type Piece, piecesOf, refusalOf, suffixOf } from '@crew/shared/media';
import { takePlace } from '@crew/shared/place';

const text = (words: string): Piece => ({ kind: 'text', text: words });
const picture = (path: string): Piece => ({ kind: 'picture', path });
const file = (path: string): Piece => ({ kind: 'file', path });

describe('lines that name files', () => {
  // spec: UI-36, MED-1, MED-3, MED-8, MED-9
  it.each<[string, Piece[]]>([
    ['a\nMEDIA: out/x.png \nb', [text('a'), picture('out/x.png'), text('b')]],
    ['FILE:data.csv', [file('data.csv')]],
    ['FILE: artifact:art_1', [{ kind: 'canvas', id: 'art_1' }]],
    ['MEDIA:a.png\nMEDIA:b.png\n\nFILE:c d.zip', [picture('a.png'), picture('b.png'), file('c d.zip')]],
    [' MEDIA:a.png', [text(' MEDIA:a.png')]],
    ['see MEDIA:a.png', [text('see MEDIA:a.png')]],
    ['media:a.png', [text('media:a.png')]],
    ['MEDIA:', [text('MEDIA:')]],
    ['```\nMEDIA:a.png\n```', [text('```\nMEDIA:a.png\n```')]],
    ['````\n```\nMEDIA:a.png\n````\nMEDIA:b.png', [text('````\n```\nMEDIA:a.png\n````'), picture('b.png')]],
    ['~~~\nFILE:a.csv', [text('~~~\nFILE:a.csv')]],
    ['a\r\nMEDIA:x.png\r\nb', [text('a'), picture('x.png'), text('b')]],
    ['', [text('')]]
  ])('of %j', (answer, pieces) => expect(piecesOf(answer)).toEqual(pieces));

  // spec: MED-4
  it('show a picture whatever its prefix, and svg is no picture', () => {
    expect(piecesOf('FILE:chart.PNG')).toEqual([picture('chart.PNG')]);
    expect(piecesOf('FILE:chart.svg')).toEqual([file('chart.svg')]);
  });

  // spec: MED-5, MED-7, MED-8
  it.each<[Piece, string | null]>([
    [picture('a/b.JPEG'), null],
    [picture('b.webp'), null],
    [picture('b.gif'), null],
    [picture('b.svg'), 'media.picture_format'],
    [picture('b.pdf'), 'media.picture_format'],
    [picture('png'), 'media.picture_format'],
    [picture('.png'), 'media.picture_format'],
    [file('report.PDF'), null],
    ...['csv', 'md', 'txt', 'xlsx', 'json', 'zip'].map((suffix): [Piece, null] => [file(`x.${suffix}`), null]),
    [file('.env'), 'media.file_format'],
    [file('id_rsa'), 'media.file_format'],
    [file('a.html'), 'media.file_format'],
    [file('keys.csv.pem'), 'media.file_format'],
    [file('dir.csv/key'), 'media.file_format'],
    [{ kind: 'canvas', id: 'x' }, null]
  ])('may be sent by their suffix alone: %j', (piece, why) => expect(refusalOf(piece)).toBe(why));

  // spec: UI-36, MED-8
  it('are held back while they are being written, and nothing else is', () => {
    expect(piecesOf('a\nMED', true)).toEqual([text('a')]);
    expect(piecesOf('a\nMEDIA:out/x.p', true)).toEqual([text('a')]);
    expect(piecesOf('a\nMEDIA:out/x.png\n', true)).toEqual([text('a'), picture('out/x.png')]);
    expect(piecesOf('Many', true)).toEqual([text('Many')]);
    expect(piecesOf('```\nMEDIA:x', true)).toEqual([text('```\nMEDIA:x')]);
    expect(piecesOf('a\nMED')).toEqual([text('a\nMED')]);
  });

  // spec: MED-8
  it('lose no other line, and what is shown while it is written stays', () => {
    const line = fc.constantFrom('MEDIA:a.png', 'FILE:b.csv', 'words', '```', '~~~', '', 'MEDIA', ' FILE:x');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.nat(120), (lines, cut) => {
        const whole = lines.join('\n');
        const words = piecesOf(whole)
          .flatMap(piece => (piece.kind === 'text' ? piece.text.split('\n') : []))
          .filter(one => one !== '');
        const gone = lines.filter(one => one !== '').length - words.length;
        expect(gone).toBe(piecesOf(whole).filter(piece => piece.kind !== 'text').length);
        const before = piecesOf(whole.slice(0, cut), true).slice(0, -1);
        expect(
          piecesOf(whole)
            .slice(0, before.length)
            .map(piece => piece.kind)
        ).toEqual(before.map(piece => piece.kind));
      })
    );
  });

  it('have a name and a suffix', () => {
    expect([nameOf('a/b.c'), nameOf('a/'), suffixOf('a.tar.GZ'), suffixOf('a.b/c')]).toEqual(['b.c', 'a/', 'gz', '']);
  });
});

describe('a new build', () => {
  const OWN = 'remoteEntry.0123456789abcdef.js';
  const OTHER = 'remoteEntry.fedcba9876543210.js';
  const page = (entry = OWN) => {
    const world = { now: 1_000_000, visible: true, served: OWN as string | null, version: '1.0', looks: 0 };
    const watch = new BuildWatch({
      entry,
      now: () => world.now,
      visible: () => world.visible,
      look: async () => {
        world.looks += 1;
        if (world.served === null) {
          throw new Error('gone');
        }
        return { version: world.version, entry: world.served, language: null };
      }
    });
    const focus = async (): Promise<void> => {
      watch.focused();
      await new Promise(resolve => setTimeout(resolve, 0));
    };
    const back = async (): Promise<void> => {
      watch.reconnected();
      await new Promise(resolve => setTimeout(resolve, 0));
    };
    return { world, watch, focus, back, stale: () => watch.getSnapshot().stale };
  };

  // spec: UI-127
  it('is another entry than the page was loaded with, whatever the version number says', async () => {
    const { world, focus, stale } = page();
    await focus();
    expect(stale()).toBe(false);
    world.version = '2.0';
    world.now += 30_000;
    await focus();
    expect(stale()).toBe(false);
    Object.assign(world, { served: OTHER, version: '1.0', now: world.now + 30_000 });
    await focus();
    expect(stale()).toBe(true);
  });

  // spec: UI-129
  it('never lends its number to a page that was loaded before it, whoever looked', () => {
    const { watch } = page();
    watch.saw({ version: '2.0', entry: OTHER, language: null });
    expect(watch.getSnapshot()).toEqual({ stale: true, version: null, development: false });
    watch.saw({ version: '1.0', entry: OWN, language: null });
    watch.saw({ version: '2.0', entry: OTHER, language: null });
    expect(watch.getSnapshot()).toEqual({ stale: true, version: '1.0', development: false });
    const { watch: development } = page('');
    development.saw({ version: '2.0', entry: '', language: null });
    expect(development.getSnapshot()).toEqual({ stale: false, version: null, development: true });
  });

  // spec: UI-128
  it('is looked for at most every 30 seconds, and after each reconnection', async () => {
    const { world, focus, back } = page();
    await focus();
    world.now += 29_999;
    await focus();
    expect(world.looks).toBe(1);
    world.now += 1;
    await focus();
    expect(world.looks).toBe(2);
    await back();
    expect(world.looks).toBe(3);
  });

  // spec: UI-128
  it('is never looked for while the page is hidden, but when it is seen again', async () => {
    const { world, focus, back } = page();
    await focus();
    world.visible = false;
    await back();
    expect(world.looks).toBe(1);
    world.visible = true;
    await focus();
    expect(world.looks).toBe(2);
  });

  // spec: UI-128
  it('is not said by a look that fails, by a server without a build, or by a page without one', async () => {
    const { world, back, stale } = page();
    world.served = null;
    await back();
    world.served = '';
    await back();
    expect(stale()).toBe(false);
    const development = page('');
    development.world.served = OTHER;
    await development.back();
    await development.focus();
    expect([development.stale(), development.world.looks]).toEqual([false, 0]);
  });

  // spec: UI-127, UI-128
  it('is compared with the hashed entry of the page, which a development build has not', () => {
    const list = (load: string): string =>
      JSON.stringify([
        { name: 'other', load: 'x' },
        { name: '@crewlab/labextension', load }
      ]);
    expect(pageEntry(list(`static/${OWN}`), '@crewlab/labextension')).toBe(OWN);
    expect(pageEntry(list('static/remoteEntry.js'), '@crewlab/labextension')).toBe('');
    expect(pageEntry('', '@crewlab/labextension')).toBe('');
    expect(pageEntry('[]', '@crewlab/labextension')).toBe('');
  });
});

describe('a link from outside', () => {
  // spec: UI-78
  it.each([
    ['http://h/lab?crewlab=chat', 'chat', null, 'http://h/lab'],
    [
      'http://h/user/a%40b/lab/tree/x?reset&crewlab=connections&mcp=git%20hub#top',
      'connections',
      null,
      'http://h/user/a%40b/lab/tree/x?reset&mcp=git%20hub#top'
    ],
    ['http://h/lab?crewlab=activity%2Frun_1%2Fx', 'activity', 'run_1/x', 'http://h/lab'],
    ['http://h/lab?crewlab=team/writer&token=a', 'team', 'writer', 'http://h/lab?token=a'],
    ['http://h/lab?crewlab=chat/', 'chat', null, 'http://h/lab']
  ])('%s', (address, section, rest, left) => expect(takePlace(address)).toEqual({ place: { section, rest }, rest: left }));

  // spec: UI-78
  it('that names no place is left alone', () => expect(takePlace('http://h/lab?xcrewlab=1')).toBeNull());
});
