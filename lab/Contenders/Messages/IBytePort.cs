namespace Tarn.Lab.Contenders.Messages;

/// <summary>One side of a connection that carries bytes without message boundaries.</summary>
internal interface IBytePort
{
    /// <summary>Writes all bytes, in one call to the system if it accepts them at once.</summary>
    void Write(ReadOnlySpan<byte> bytes);

    /// <summary>Reads the available bytes, at least one; 0 at the end.</summary>
    int Read(Span<byte> buffer);
}
