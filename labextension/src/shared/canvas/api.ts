/** The routes of canvases (CNV-125). Every method rejects with `ApiError`. */
import type { Ask } from '../api';
import type * as C from '../contract';
import { path, withQuery } from '../urls';

export class CanvasApi {
  constructor(private readonly ask: Ask) {}

  list(query: C.ArtifactQuery = {}): Promise<C.ArtifactList> {
    return this.ask('GET', withQuery('artifacts', { ...query }));
  }

  read(id: string): Promise<C.ArtifactView> {
    return this.ask('GET', path('artifacts', id));
  }

  async versions(id: string): Promise<readonly C.ArtifactVersion[]> {
    const found = await this.ask<C.ArtifactVersionList>('GET', path('artifacts', id, 'versions'));
    return found.versions;
  }

  version(id: string, version: number): Promise<C.ArtifactVersionView> {
    return this.ask('GET', path('artifacts', id, 'versions', version));
  }

  diff(id: string, from: number, to: number): Promise<C.ArtifactDiff> {
    return this.ask('GET', withQuery(path('artifacts', id, 'diff'), { from, to }));
  }

  save(id: string, content: string, base: number): Promise<C.Artifact> {
    return this.ask('PUT', path('artifacts', id), { content, base_version: base } satisfies C.SaveArtifact);
  }

  change(id: string, changes: C.ArtifactPatch): Promise<C.Artifact> {
    return this.ask('PATCH', path('artifacts', id), changes);
  }

  restore(id: string, version: number): Promise<C.Artifact> {
    return this.ask('POST', path('artifacts', id, 'restore'), { version } satisfies C.RestoreArtifact);
  }

  reimport(id: string): Promise<C.ReimportedArtifact> {
    return this.ask('POST', path('artifacts', id, 'reimport'), {});
  }

  async remove(id: string): Promise<void> {
    await this.ask<unknown>('DELETE', path('artifacts', id));
  }
}

/** What a version is served as: its bytes, or the holder of the page that runs (CNV-118). */
export function versionPath(id: string, version: number, what: 'raw' | 'holder'): string {
  return path('artifacts', id, 'versions', version, what);
}
