using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>Messages with one number after the other.</summary>
internal struct OrderedCheck(int length, long first, int count) : IMessageCheck
{
    private long _next = first;

    public int Left { get; private set; } = count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Take(ReadOnlySpan<byte> message)
    {
        MessageContents.Verify(message, _next++, length);
        Left--;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Passed()
    {
    }
}

/// <summary>Messages of any number; the sum of the numbers of all readers tells whether each came once.</summary>
internal struct SummedCheck(int length, int count) : IMessageCheck
{
    public long Sum { get; private set; }

    public int Left { get; private set; } = count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Take(ReadOnlySpan<byte> message)
    {
        Sum += MessageContents.VerifyAny(message, length);
        Left--;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Passed()
    {
    }
}

/// <summary>Messages that contain a time, each verified whole before the time ends. The sender awaits each at the gate.</summary>
/// <param name="length">Bytes of a message.</param>
/// <param name="ticks">For the time of each.</param>
/// <param name="gate">Where the sender waits.</param>
/// <param name="reader">The index of this reader.</param>
internal struct TimedCheck(int length, long[] ticks, MessageGate gate, int reader) : IMessageCheck
{
    private int _number;

    public readonly int Left => ticks.Length - _number;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Take(ReadOnlySpan<byte> message)
    {
        MessageContents.VerifyTimed(message, _number, length);
        ticks[_number++] = Stopwatch.GetTimestamp() - MessageContents.ReadTime(message);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Passed() => gate.Pass(reader, _number);
}

/// <summary>Messages whose time ends when their first bytes are seen. What comes after it, verifies the first and the last bytes.</summary>
/// <inheritdoc cref="TimedCheck"/>
internal struct SeenCheck(int length, long[] ticks, MessageGate gate, int reader) : IMessageCheck
{
    private int _number;

    public readonly int Left => ticks.Length - _number;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Take(ReadOnlySpan<byte> message)
    {
        long begun = MessageContents.ReadTime(message);
        ticks[_number] = Stopwatch.GetTimestamp() - begun;
        MessageContents.VerifyEnds(message, _number++, length);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Passed() => gate.Pass(reader, _number);
}
