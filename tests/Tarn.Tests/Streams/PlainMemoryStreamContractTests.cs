namespace Tarn.Tests.Streams;

/// <summary>The reference stream, which proves that the suite describes its behaviour.</summary>
public sealed class PlainMemoryStreamContractTests : StreamContract
{
    protected override bool KeepsContents => true;

    protected override Type DisposedSetLength => typeof(NotSupportedException);

    protected override long? LargestPosition => Array.MaxLength;

    protected override MemoryStream Create() => new();
}
