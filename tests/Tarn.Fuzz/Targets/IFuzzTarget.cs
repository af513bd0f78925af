namespace Tarn.Fuzz.Targets;

/// <summary>Something that reads bytes which others wrote.</summary>
internal interface IFuzzTarget : IDisposable
{
    string Name { get; }

    /// <summary>Valid inputs, from which others are made.</summary>
    IEnumerable<byte[]> Seeds { get; }

    /// <summary>No input may make more bytes of objects: what a length in it says is not believed before it is looked at.</summary>
    long MostBytes { get; }

    /// <summary>Reads an input. May throw what <see cref="IsDocumented"/> knows, and nothing else.</summary>
    void Run(byte[] input);

    /// <summary>Whether the documentation of what is read says that this may be thrown.</summary>
    bool IsDocumented(Exception exception);
}
