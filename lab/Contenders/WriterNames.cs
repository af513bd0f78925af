namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the buffer writers.</summary>
internal static class WriterNames
{
    public const string Tarn = "PooledWriter";
    public const string TarnNative = "PooledWriter, native";
    public const string TarnSequence = "SequenceBuilder";

    public const string Bcl = "ArrayBufferWriter";
    public const string Toolkit = "ArrayPoolBufferWriter";
    public const string Nerdbank = "Sequence";
    public const string DotNext = "SparseBufferWriter";
    public const string Recyclable = "RecyclableMemoryStream";
}
