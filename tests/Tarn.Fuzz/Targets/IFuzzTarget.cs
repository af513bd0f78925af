namespace Tarn.Fuzz.Targets;

/// <summary>Something that reads bytes which others wrote.</summary>
internal interface IFuzzTarget : IDisposable
{
    string Name { get; }

    /// <summary>Valid inputs, from which others are made.</summary>
    IEnumerable<byte[]> Seeds { get; }

    /// <summary>No input may allocate more bytes of objects: a reader must not trust a length before it has checked it.</summary>
    long MostBytes { get; }

    /// <summary>Reads an input. May throw only exceptions that <see cref="IsDocumented"/> accepts.</summary>
    void Run(byte[] input);

    /// <summary>Whether the reader's documentation lists this exception.</summary>
    bool IsDocumented(Exception exception);
}
