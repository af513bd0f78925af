namespace Tarn;

/// <summary>When a finalizer may believe that its object was forgotten.</summary>
internal static class Finalization
{
    /// <summary>
    /// The first finalization proves little: whatever holds the object, or what the object stands for, may be waiting for its own
    /// finalizer, and that may still use it and give it back. So it is put off to the next collection, which finalizes only what was not
    /// used again.
    /// </summary>
    /// <param name="finalized">The object whose finalizer this is.</param>
    /// <param name="wasPutOff">The object's note that it was finalized before.</param>
    /// <returns>Whether it was put off, once for each object; then the finalizer does nothing more.</returns>
    internal static bool TryPutOff(object finalized, ref bool wasPutOff)
    {
        if (wasPutOff)
        {
            return false;
        }

        wasPutOff = true;
        GC.ReRegisterForFinalize(finalized);
        return true;
    }
}
