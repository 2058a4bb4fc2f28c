import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@crew/shared/api";
import { AttachedStore } from "@crew/shared/stores/attachedStore";

const named = (name: string): File => new File(["x"], name);
const answer = (name: string) => ({
  id: `att_${name}`,
  name,
  type: "text/csv",
  size: 1,
  chars: 1,
  path: null,
});

function aStore(
  attach = vi.fn(async (_id: string, file: File) => answer(file.name)),
  begin = vi.fn(async () => "c1"),
) {
  const detach = vi.fn(async () => undefined);
  return {
    store: new AttachedStore({ api: { attach, detach }, begin }),
    attach,
    detach,
    begin,
  };
}

describe("files of a message that is being written", () => {
  // spec: UI-52
  it("are sent one after another to the open conversation, and taken once", async () => {
    const { store, attach } = aStore();
    await store.add([named("a.csv"), named("b.csv")]);
    expect(attach.mock.calls.map(([id, file]) => [id, file.name])).toEqual([
      ["c1", "a.csv"],
      ["c1", "b.csv"],
    ]);
    expect(store.take("c2")).toEqual([]);
    const files = store.take("c1");
    expect(files.map((file) => file.id)).toEqual(["att_a.csv", "att_b.csv"]);
    expect(store.take("c1")).toEqual([]);
    store.putBack("c1", files);
    store.putBack("c1", files);
    expect(store.take("c1")).toEqual(files);
  });

  // spec: UI-52
  it("say why they were not taken, and do not go with the message", async () => {
    const refusing = vi.fn(async (_id: string, file: File) => {
      if (file.name === "big.bin") {
        throw new ApiError("too_large", 413, "too large");
      }
      return answer(file.name);
    });
    const { store } = aStore(refusing);
    await store.add([named("big.bin"), named("a.csv")]);
    expect(
      store
        .getSnapshot()
        ["c1"]?.map((one) => [one.name, one.state, one.failure?.message]),
    ).toEqual([
      ["big.bin", "failed", "too large"],
      ["a.csv", "ready", undefined],
    ]);
    expect(store.take("c1").map((file) => file.name)).toEqual(["a.csv"]);
    const closed = aStore(
      undefined,
      vi.fn(async () =>
        Promise.reject(new ApiError("unreachable", 0, "no answer")),
      ),
    );
    await closed.store.add([named("a.csv")]);
    expect(closed.store.getSnapshot()[""]?.map((one) => one.state)).toEqual([
      "failed",
    ]);
    closed.store.remove(null, closed.store.getSnapshot()[""]?.[0]?.key ?? "");
    expect(closed.store.getSnapshot()[""]).toEqual([]);
  });

  // spec: UI-52, PTL-90
  it("leave the conversation when they are taken away, also on their way", async () => {
    let arrive: (value: ReturnType<typeof answer>) => void = () => undefined;
    const slow = vi.fn(
      async () =>
        new Promise<ReturnType<typeof answer>>((resolve) => (arrive = resolve)),
    );
    const { store, detach } = aStore(slow);
    const added = store.add([named("a.csv")]);
    await Promise.resolve();
    await Promise.resolve();
    store.remove("c1", store.getSnapshot()["c1"]?.[0]?.key ?? "");
    arrive(answer("a.csv"));
    await added;
    expect(detach).toHaveBeenCalledWith("c1", "att_a.csv");
    expect(store.getSnapshot()["c1"]).toEqual([]);
  });
});
