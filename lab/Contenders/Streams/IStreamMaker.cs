namespace Tarn.Lab.Contenders.Streams;

/// <summary>
/// Makes the streams of one contender. Structs, so that the work is compiled for each of them with direct calls, as code that names its
/// stream does.
/// </summary>
internal interface IStreamMaker
{
    /// <param name="size">The number of bytes that will be written. Contenders that must not know it ignore it.</param>
    Stream Create(int size);
}
