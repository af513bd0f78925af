namespace Tarn.Tests.Streams;

/// <summary>The stream that is to be matched: what the suite says is what it does.</summary>
public sealed class PlainMemoryStreamContractTests : StreamContract
{
    protected override bool KeepsContents => true;

    protected override Type DisposedSetLength => typeof(NotSupportedException);

    protected override long? LargestPosition => Array.MaxLength;

    protected override MemoryStream Create() => new();
}
