/**
 * While this many calls have just begun, items wait for the next call. Two calls keep both sides busy: one side answers
 * one while the other side prepares the next.
 */
const maxNewCalls = 2;
/** This many items are sent without further waiting. */
const fullBatch = 32;
/** A call counts as just begun for this time, in milliseconds: a slow call must not delay the items of others. */
const newMs = 5;

/** Decides when calls with many items each begin. */
export interface CallPace {
  /** Whether a call may begin for this number of items. */
  mayCall(items: number): boolean;
  /** Counts a new call; call the returned function when it has ended. */
  begin(): () => void;
}

/** `onRoom` is called when a further call may begin while others are still running. */
export function createCallPace(onRoom: () => void): CallPace {
  let newCalls = 0;
  return {
    mayCall: (items) => newCalls < maxNewCalls || items >= fullBatch,
    begin() {
      newCalls++;
      let isNew = true;
      const end = () => {
        clearTimeout(timer);
        if (isNew) newCalls--;
        isNew = false;
      };
      const timer = setTimeout(() => {
        end();
        onRoom();
      }, newMs);
      return end;
    },
  };
}
