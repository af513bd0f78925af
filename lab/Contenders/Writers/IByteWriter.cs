using System.Buffers;

namespace Tarn.Lab.Contenders.Writers;

/// <summary>
/// A buffer writer of one contender, used for one message after the other. Structs, so that the work is compiled for each of them with
/// direct calls, as code that names its writer does.
/// </summary>
internal interface IByteWriter
{
    /// <summary>The writer, for code that takes any.</summary>
    IBufferWriter<byte> Writer { get; }

    /// <summary>Begins a message in an empty writer.</summary>
    void Begin();

    /// <summary>Adds a byte in the fastest way that the writer has.</summary>
    void Write(byte value);

    /// <summary>Adds a piece in the fastest way that the writer has.</summary>
    void Write(ReadOnlySpan<byte> piece);

    /// <summary>Ends the message: drops it in the fastest way after which the writer, or the next one, is empty.</summary>
    void End();
}
