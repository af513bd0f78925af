using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>What a program writes to a message.</summary>
internal interface IMessageContents
{
    void Write(Span<byte> message);
}

/// <summary>All bytes of the message of a number.</summary>
internal readonly struct WholeContents(long number) : IMessageContents
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(Span<byte> message) => MessageContents.Write(message, number);
}

/// <summary>The same, with the time from before the message was begun.</summary>
internal readonly struct TimedContents(long number, long begun) : IMessageContents
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(Span<byte> message)
    {
        MessageContents.Write(message, number);
        MessageContents.WriteTime(message, begun);
    }
}

/// <summary>
/// The first and the last bytes of a message whose program prepared it in place before, and the time at which all is written and only to be
/// published.
/// </summary>
internal readonly struct PreparedContents(long number) : IMessageContents
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(Span<byte> message)
    {
        MessageContents.WriteEnds(message, number);
        MessageContents.WriteTime(message, Stopwatch.GetTimestamp());
    }
}

/// <summary>The bytes that a program has in memory of its own.</summary>
internal readonly struct CopiedContents(byte[] bytes) : IMessageContents
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(Span<byte> message) => bytes.AsSpan(0, message.Length).CopyTo(message);
}
