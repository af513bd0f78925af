namespace Tarn;

/// <summary>Takes the array of a counted buffer back, where more must happen than a return to its pool.</summary>
internal interface IArrayOrigin<T>
{
    /// <summary>Takes the array back, which no holder uses any more.</summary>
    void TakeBack(T[] array);
}
