// microsoft/clrmd#1184 (DacThreadData.EnumerateStackTrace; the return was lost by #1160).
// An iterator rented the context of the thread for the whole walk and never returned it. The fix returns it when the
// walk has ended.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;

internal sealed class StackWalk : IDisposable
{
    private int _frames = 3;

    internal bool GetContext(uint flags, int size, byte[] context) => context.Length >= size;

    internal bool Next() => --_frames > 0;

    public void Dispose()
    {
    }
}

internal readonly record struct Frame(ulong InstructionPointer, ulong StackPointer, byte[]? Context);

internal sealed class ThreadData
{
    private readonly bool _is64Bit;

    internal ThreadData(bool is64Bit) => _is64Bit = is64Bit;

    internal IEnumerable<Frame> EnumerateStackTrace(bool includeContext, int maxFrames)
    {
        using StackWalk? walk = CreateWalk();
        if (walk is null)
        {
            yield break;
        }

        int ipOffset = _is64Bit ? 248 : 184;
        int spOffset = _is64Bit ? 152 : 196;
        int contextSize = _is64Bit ? 1232 : 716;

        bool more = true;
        byte[] context = ArrayPool<byte>.Shared.Rent(contextSize); // expect TARN011
        while (more && maxFrames-- > 0)
        {
            more = walk.GetContext(0x10003f, contextSize, context);
            if (!more)
            {
                Trace.TraceInformation("GetContext failed");
                break;
            }

            ulong ip = BitConverter.ToUInt64(context, ipOffset);
            ulong sp = BitConverter.ToUInt64(context, spOffset);

            byte[]? copy = null;
            if (includeContext)
            {
                copy = context.AsSpan(0, contextSize).ToArray();
            }

            yield return new Frame(ip, sp, copy);

            more = walk.Next();
        }
    }

    private static StackWalk? CreateWalk() => new();
}
