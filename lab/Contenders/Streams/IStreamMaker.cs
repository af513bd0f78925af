namespace Tarn.Lab.Contenders.Streams;

/// <summary>
/// Makes the streams of one contender. Structs, so that the work is compiled for each of them and knows what it calls, as code that names
/// its stream does.
/// </summary>
internal interface IStreamMaker
{
    /// <param name="size">What will be written; contenders that are not to know it pass over it.</param>
    Stream Create(int size);
}
