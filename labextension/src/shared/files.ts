/** Files of a workspace as the views see them. */

export interface WorkspaceFiles {
  /** The bytes; rejects with `ApiError`. */
  read(agent: string, path: string, signal?: AbortSignal): Promise<Blob>;
  /** The number of bytes, without reading them; rejects with `ApiError`. */
  size(agent: string, path: string): Promise<number>;
}
