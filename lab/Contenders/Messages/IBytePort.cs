namespace Tarn.Lab.Contenders.Messages;

/// <summary>One side of a connection that carries bytes and knows of no messages.</summary>
internal interface IBytePort
{
    /// <summary>All of them, in one call of the system where it takes them at once.</summary>
    void Write(ReadOnlySpan<byte> bytes);

    /// <summary>What is there, one byte at least; 0 at the end.</summary>
    int Read(Span<byte> buffer);
}
