// Ryujinx/Ryujinx#6937: the kernel objects that a thread had waited for were kept alive by the array in the pool.
// The fix returns it cleared.
using System;
using System.Buffers;
using System.Collections.Generic;

internal enum Result
{
    Success,
    InvalidHandle,
    NotFound,
}

internal class WaitObject;

internal abstract class Session : WaitObject
{
    public abstract Result Reply();

    public abstract Result Receive();
}

internal abstract class Synchronization
{
    public abstract Result WaitFor(Span<WaitObject> objects, long timeout, out int index);
}

internal sealed class SystemCalls(Synchronization synchronization, Dictionary<int, WaitObject> handles)
{
    public Result ReplyAndReceive(out int handleIndex, ReadOnlySpan<int> waited, int replyTarget, long timeout)
    {
        handleIndex = 0;

        WaitObject[] array = ArrayPool<WaitObject>.Shared.Rent(waited.Length);

        Span<WaitObject> objects = array.AsSpan(0, waited.Length);

        for (int index = 0; index < waited.Length; index++)
        {
            objects[index] = handles[waited[index]];
        }

        Result result = Result.Success;

        if (replyTarget != 0)
        {
            result = handles.GetValueOrDefault(replyTarget) is Session target ? target.Reply() : Result.InvalidHandle;
        }

        if (result == Result.Success)
        {
            while ((result = synchronization.WaitFor(objects, timeout, out handleIndex)) == Result.Success)
            {
                if (handles[waited[handleIndex]] is not Session session)
                {
                    break;
                }

                if ((result = session.Receive()) != Result.NotFound)
                {
                    break;
                }
            }
        }

        ArrayPool<WaitObject>.Shared.Return(array, true);

        return result;
    }
}
